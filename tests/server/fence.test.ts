import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fence, gapsOfFence } from '../../server/media/fence.ts'
import { runTool, startTool } from '../../server/media/process.ts'

const isRoot = process.getuid?.() === 0
const picture = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-frames:v', '1', '-f', 'mjpeg']
const bounds = { wallClockMs: 20_000, maxBytes: 1_000_000 }

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'sightline-fence-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

/** Where util-linux is, as on every usual Linux. */
describe.runIf(fence().before.includes('setpriv'))('ffmpeg', () => {
  test('runs without a shell, with two variables, without rights to gain, and where the server is root as somebody of its own', async () => {
    process.env['SIGHTLINE_PLANTED'] = 'a secret of the environment'
    onTestFinished(() => {
      delete process.env['SIGHTLINE_PLANTED']
    })
    const running = startTool('ffmpeg', ['-nostdin', '-v', 'error', '-re', '-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-f', 'mjpeg', 'pipe:1'])
    onTestFinished(async () => {
      running.kill()
      await running.ended
    })
    await once(running.child.stdout, 'data')
    const read = (name: string) => readFileSync(`/proc/${running.child.pid ?? 0}/${name}`, 'utf8')
    const status = Object.fromEntries(read('status').split('\n').map((line) => line.split(':\t')))
    const limits = Object.fromEntries([...read('limits').matchAll(/^(Max [a-z ]+?) {2,}(\S+)/gm)].map(([, name = '', soft]) => [name, soft]))
    expect(read('cmdline').split('\0')[0]).toBe('ffmpeg')
    expect(read('environ').split('\0').filter((pair) => pair !== '').map((pair) => pair.split('=')[0])).toEqual(['PATH', 'LC_ALL'])
    expect(status['Uid']?.split('\t')[0]).toBe(isRoot ? '65530' : String(process.getuid?.()))
    expect(status).toMatchObject({ CapEff: '0000000000000000', NoNewPrivs: '1' })
    expect(limits).toMatchObject({ 'Max file size': '0', 'Max core file size': '0', 'Max open files': '64', 'Max data size': expect.stringMatching(/^\d+$/) })
  })

  test('makes pictures in it, and writes no file', async () => {
    const file = join(folder(), 'picture.jpg')
    const { output } = await runTool('ffmpeg', [...picture, 'pipe:1'], bounds)
    expect(output?.subarray(0, 2).toString('hex')).toBe('ffd8')
    expect(await runTool('ffmpeg', [...picture, '-y', file], bounds)).toMatchObject({ output: undefined })
    expect(existsSync(file) ? readFileSync(file).length : 0).toBe(0)
  })

  test.runIf(isRoot)('reads nothing that is the server’s alone', async () => {
    const file = join(folder(), 'server.key')
    writeFileSync(file, 'secret', { mode: 0o600 })
    const { output, complaints } = await runTool('ffprobe', ['-v', 'error', '-i', file], bounds)
    expect(output).toBeUndefined()
    expect(complaints).toContain('Permission denied')
  })
})

test('whoever starts the server is told what the fence lacks', () => {
  const user = { uid: 65_530, gid: 65_530 }
  expect(gapsOfFence({ before: ['prlimit'], user })).toEqual([])
  expect(gapsOfFence({ before: [], user })).toEqual(['Warning: ffmpeg has no limit of memory: prlimit (util-linux) is missing.'])
  expect(gapsOfFence({ before: ['prlimit'], user: undefined })).toEqual(isRoot ? ['Warning: ffmpeg runs as root, as another user may not run it here.'] : [])
})
