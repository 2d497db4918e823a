import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readReleases, layFiles } from '../release/fixture.ts'
import { callsOf, segmentsOf, signIn } from '../release/site.ts'
import type { CleanRoot } from './clean-root.ts'

const configFile = '/etc/sightline/sightline.toml'
const dataDir = '/var/lib/sightline'

const dpkg = (...args: string[]): void => {
  const { status, stderr } = spawnSync('dpkg-deb', args, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

/** The package again as an older version, with another configuration file. The caller removes its folder. */
export const olderPackage = (deb: string): { deb: string; remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-older-'))
  const [tree, older] = [join(folder, 'tree'), join(folder, 'sightline_0.9.0_amd64.deb')]
  dpkg('--raw-extract', deb, tree)
  const control = join(tree, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 0.9.0'))
  appendFileSync(join(tree, configFile), '\n# A line of the older version.\n')
  dpkg('--build', '--root-owner-group', '-Zgzip', '-z1', tree, older)
  rmSync(tree, { recursive: true })
  return { deb: older, remove: () => rmSync(folder, { recursive: true }) }
}

type Done = (ran: ReturnType<CleanRoot['run']>) => string
type Start = (clean: CleanRoot) => Promise<{ address: string; stop: () => Promise<void> }>

/**
 * Installs an older package, lays the site of the oldest release, edits the configuration, and installs the new
 * package. `deb`, `older`: paths in the root.
 */
export const checkUpgrade = async (
  clean: CleanRoot,
  { deb, older }: { deb: string; older: string },
  { done, start, print }: { done: Done; start: Start; print: (line: string) => void },
): Promise<void> => {
  const at = (path: string) => join(clean.path, path)
  const install = (file: string) =>
    // What `dpkg` asks about a file that both sides have changed is answered with its default: keep it.
    done(clean.run('apt-get', 'install', '-q', '-y', '-o', 'Dpkg::Options::=--force-confold', file))
  const [release] = readReleases()
  assert.ok(release !== undefined)
  install(older)
  layFiles(release, at(dataDir))
  done(clean.run('chown', '-R', 'sightline:sightline', dataDir))
  appendFileSync(at(configFile), '\n# An edit of the operator.\nLOG_LEVEL = "error"\n')
  const edited = readFileSync(at(configFile), 'utf8')
  install(deb)
  assert.equal(readFileSync(at(configFile), 'utf8'), edited)
  done(clean.run('sightline', 'check-config'))
  print('an upgrade keeps the edited configuration')
  const { address, stop } = await start(clean)
  try {
    const { admin, user, range, uid, segments } = release.known
    const call = callsOf(address)
    const cookie = await signIn(call, admin)
    await signIn(call, user)
    assert.deepEqual(await segmentsOf(call, uid, range, cookie), segments)
  } finally {
    await stop()
  }
  print(`users, passwords and ${release.known.segments.length} segments of ${release.name} are there after it`)
}
