import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { copyFileSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { freePort } from '../free-port.ts'
import type { CleanRoot } from './clean-root.ts'
import { firstPicture } from './first-picture.ts'

const Words = z.array(z.string())

/** The instructions of a container file, with continued lines joined. */
const instructionsOf = (text: string): { name: string; rest: string }[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => {
      const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? []
      return name === undefined || rest === undefined ? [] : [{ name, rest }]
    })

const readOnly = `
mount -t tmpfs tmpfs /tmp
mount --bind /var/lib/sightline /var/lib/sightline
mount -o remount,bind,ro /
exec "$@"
`

/**
 * Runs what deploy/Containerfile says, without a container engine: its commands in a clean Debian, then its program as
 * its user, without capabilities, on a read-only root.
 */
export const checkContainer = async (
  image: CleanRoot,
  archive: string,
  print: (line: string) => void,
): Promise<void> => {
  const done = ({ status, output }: ReturnType<CleanRoot['run']>): string => {
    assert.equal(status, 0, output)
    return output
  }
  const instructions = instructionsOf(readFileSync(join(import.meta.dirname, '../../deploy/Containerfile'), 'utf8'))
  const all = (wanted: string) => instructions.flatMap(({ name, rest }) => (name === wanted ? [rest] : []))
  const one = (wanted: string): string => all(wanted)[0] ?? assert.fail(wanted)
  const [packed = '', folder = ''] = one('ADD').split(' ')
  assert.match(basename(archive), new RegExp(`^${packed.replace('*', '.*').replace('.gz', '\\.gz')}$`))
  for (const { name, rest } of instructions) {
    if (name === 'RUN') done(image.run('sh', '-c', rest))
    if (name !== 'ADD') continue
    copyFileSync(archive, join(image.path, 'root', basename(archive)))
    done(image.run('tar', '-xzf', join('/root', basename(archive)), '-C', folder))
  }
  const [uid = '', gid = ''] = one('USER').split(':')
  const port = await freePort()
  const variables = [...one('ENV').split(' '), 'HOST=127.0.0.1', `PORT=${port}`]
  const words = (name: string) => z.parse(Words, JSON.parse(one(name)))
  const asUser = `--reuid=${uid} --regid=${gid} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all`
  const before = ['setpriv', ...asUser.split(' '), 'env', `--chdir=${one('WORKDIR')}`, ...variables]
  const inside = (...command: string[]) => ['sh', '-ec', readOnly, 'read-only', ...before, ...command]
  const refused = image.run(...inside('touch', '/usr/lib/written'))
  assert.match(refused.output, /Read-only file system/)
  const child = image.start(...inside(...words('ENTRYPOINT'), ...words('CMD')))
  const ended = once(child, 'exit')
  try {
    await new Promise<void>((resolve, reject) => {
      void ended.then(() => reject(new Error('The container’s program ended')))
      if (child.stdout === null) return
      createInterface(child.stdout).on('line', (line) => {
        if (line.startsWith('Sightline is at ')) resolve()
      })
    })
    const { bytes } = await firstPicture(`http://127.0.0.1:${port}`)
    const [, health = ''] = /CMD (.*)$/.exec(one('HEALTHCHECK')) ?? []
    done(image.run(...inside('sh', '-c', health)))
    print(
      `the image’s program runs as ${uid} on a read-only root, a segment of ${bytes} bytes decodes, and it is healthy`,
    )
  } finally {
    child.kill('SIGTERM')
  }
  const [code] = await ended
  assert.equal(code, 0, 'The container’s program must stop by itself')
}
