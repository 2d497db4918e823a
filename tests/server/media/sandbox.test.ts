import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isInPath } from '../../../server/media/programs.ts'
import { sandbox, sandboxWarnings, sandboxHealth, loopbackCommands } from '../../../server/media/sandbox.ts'
import { openHttpGateway } from '../../../server/media/http-gateway.ts'
import { startServer, withoutDiskWarning } from '../fixtures/harness.ts'
import { sourceAt } from './sources.ts'
import { startTool } from '../../../server/media/process.ts'
import { runTool } from '../../../server/media/run-tool.ts'

const isRoot = process.getuid?.() === 0
const picture = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-frames:v', '1', '-f', 'mjpeg']
const bounds = { wallClockMs: 20_000, maxBytes: 1_000_000 }

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'sightline-sandbox-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

/** Where util-linux is, as on every usual Linux. */
describe.runIf(sandbox().before.includes('setpriv'))('ffmpeg', () => {
  test('runs without a shell, variables and privileges, and as its own user if the server is root', async () => {
    process.env['SIGHTLINE_PLANTED'] = 'a secret of the environment'
    onTestFinished(() => {
      delete process.env['SIGHTLINE_PLANTED']
    })
    const args = '-nostdin -v error -re -f lavfi -i testsrc2=s=64x64 -f mjpeg pipe:1'.split(' ')
    const running = startTool('ffmpeg', args, { priority: 'encoding' })
    onTestFinished(async () => {
      running.kill()
      await running.ended
    })
    await once(running.child.stdout, 'data')
    const read = (name: string) => readFileSync(`/proc/${running.child.pid ?? 0}/${name}`, 'utf8')
    const status = Object.fromEntries(
      read('status')
        .split('\n')
        .map((line) => line.split(':\t')),
    )
    const limits = Object.fromEntries(
      [...read('limits').matchAll(/^(Max [a-z ]+?) {2,}(\S+)/gm)].map(([, name = '', soft]) => [name, soft]),
    )
    expect(read('cmdline').split('\0')[0]).toBe('ffmpeg')
    expect(
      read('environ')
        .split('\0')
        .filter((pair) => pair !== '')
        .map((pair) => pair.split('=')[0]),
    ).toEqual(['PATH', 'LC_ALL'])
    expect(status['Uid']?.split('\t')[0]).toBe(isRoot ? '65530' : String(process.getuid?.()))
    // The nice value (proc(5)) is the 17th field after the name.
    expect(read('stat').split(') ').at(-1)?.split(' ')[16]).toBe('10')
    expect(status).toMatchObject({ CapEff: '0000000000000000', NoNewPrivs: '1' })
    expect(limits).toMatchObject({
      'Max file size': '0',
      'Max core file size': '0',
      'Max open files': '64',
      'Max data size': expect.stringMatching(/^\d+$/),
    })
  })

  test('makes pictures in it, and writes no file', async () => {
    const file = join(folder(), 'picture.jpg')
    const { output } = await runTool('ffmpeg', [...picture, 'pipe:1'], bounds)
    expect(output?.subarray(0, 2).toString('hex')).toBe('ffd8')
    expect(await runTool('ffmpeg', [...picture, '-y', file], bounds)).toMatchObject({ output: undefined })
    expect(existsSync(file) ? readFileSync(file).length : 0).toBe(0)
  })

  test('that cannot be started counts as ended, without an error', async () => {
    const gateway = {
      port: 1,
      namespaces: [987_654],
      failure: () => undefined,
      offer: () => undefined,
      close: () => undefined,
    }
    const running = startTool('ffmpeg', ['-version'], { gateway })
    running.child.stdin.write('nobody reads this')
    expect([await text(running.child.stdout), await running.ended]).toEqual([
      '',
      { exitCode: expect.toSatisfy((code) => code !== 0) },
    ])
  })

  test('is not started once the request is aborted', async () => {
    expect(await runTool('ffmpeg', [...picture, 'pipe:1'], { ...bounds, signal: AbortSignal.abort() })).toEqual({
      output: undefined,
      stderrTail: '',
    })
  })

  test.runIf(isRoot)('reads nothing that is the server’s alone', async () => {
    const file = join(folder(), 'server.key')
    writeFileSync(file, 'secret', { mode: 0o600 })
    const { output, stderrTail } = await runTool('ffprobe', ['-v', 'error', '-i', file], bounds)
    expect(output).toBeUndefined()
    expect(stderrTail).toContain('Permission denied')
  })
})

/** As root on every Linux, else where users may make namespaces. */
describe.runIf(sandbox().isolation !== undefined)('ffmpeg has no network', () => {
  const open = ['-v', 'error', '-protocol_whitelist', 'http,httpproxy,tcp,udp,rtp,tls,rtsp', '-rw_timeout', '3000000']

  /** Who came to this machine, on loopback and on its addresses in its networks. */
  const startInside = async () => {
    const asked: string[] = []
    const server = createServer((socket) => {
      asked.push('connected')
      socket.destroy()
    })
    server.listen(0, '::')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    const hosts = own
      .filter(({ address }) => !address.startsWith('fe80:'))
      .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
    return {
      asked,
      port: address === null || typeof address === 'string' ? 0 : address.port,
      hosts: [...hosts, 'localhost'],
    }
  }

  test('except to its gateway, by any protocol', async () => {
    const inside = await startInside()
    const gateway = await openHttpGateway(sourceAt('http://camera.example/'), false)
    onTestFinished(gateway.close)
    const outputs = []
    for (const host of inside.hosts.map((each) => `${each}:${inside.port}`)) {
      const addresses = [`httpproxy://${host}/x:80`, `tcp://${host}`, `tls://${host}`, `http://${host}/`]
      const tries = addresses.flatMap((address) =>
        [{ gateway }, {}].map(async (options) =>
          runTool('ffprobe', [...open, '-i', address], { ...bounds, ...options }),
        ),
      )
      outputs.push(...(await Promise.all(tries)).map(({ output }) => output))
    }
    expect([outputs.filter((output) => output !== undefined), inside.asked]).toEqual([[], []])
    expect(gateway.failure()).toBe('ACCESS_DENIED_ERR')
  })

  test('of this machine, and no rights in its own', async () => {
    const gateway = await openHttpGateway(sourceAt('http://camera.example/'), false)
    onTestFinished(gateway.close)
    const ours = readlinkSync('/proc/self/ns/net')
    const seen = []
    for (const options of [{ gateway }, { gateway }, {}]) {
      const running = startTool(
        'ffmpeg',
        ['-nostdin', '-v', 'error', '-re', '-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-f', 'mjpeg', 'pipe:1'],
        options,
      )
      await once(running.child.stdout, 'data')
      const folder = `/proc/${running.child.pid ?? 0}`
      const interfaces = [...readFileSync(`${folder}/net/dev`, 'utf8').matchAll(/^ *(\w+):/gm)].map(([, name]) => name)
      const rights = [...readFileSync(`${folder}/status`, 'utf8').matchAll(/^Cap(?:Prm|Eff|Bnd|Amb):\t(\w+)$/gm)].map(
        ([, bits]) => Number(`0x${bits}`),
      )
      seen.push({ namespace: readlinkSync(`${folder}/ns/net`), interfaces, rights })
      running.kill()
      await running.ended
    }
    const [first, second, alone] = seen.map(({ namespace }) => namespace)
    expect(new Set([ours, first, alone]).size).toBe(3)
    expect(second).toBe(first)
    expect(seen.map(({ interfaces, rights }) => [interfaces, rights])).toEqual(
      [0, 1, 2].map(() => [['lo'], [0, 0, 0, 0]]),
    )
  })
})

test('health warns only administrators that the network is open', async () => {
  const open = { isolation: undefined, before: ['prlimit'], user: undefined }
  const { ask, addUser, signIn, context } = await startServer({ defaults: withoutDiskWarning })
  context.healthSources.push(() => sandboxHealth(open))
  await addUser('ann', true)
  await addUser('bob')
  const callers = [{ cookie: await signIn('ann') }, { cookie: await signIn('bob') }, {}]
  const answers = await Promise.all(callers.map(async (caller) => (await ask('GET', '/v1/system/health', caller)).body))
  expect(answers.map((body) => Reflect.get(Object(body), 'warnings'))).toEqual([
    [{ code: 'FFMPEG_NOT_ISOLATED' }],
    [],
    [],
  ])
  expect(sandboxHealth({ ...open, isolation: { alone: [], join: [], kinds: [], loopbackUp: [] } })).toEqual([])
})

const fixture = join(import.meta.dirname, '../../fixtures/sandboxed.ts')

/** What the sandbox is for another user, or with fewer rights; `before` becomes Node. */
const sandboxAs = (...before: string[]): unknown => {
  const [program = '', ...args] = [...before, process.execPath, '--no-warnings', fixture]
  const { stdout, stderr } = spawnSync(program, args, { cwd: '/' })
  return stdout.length === 0 ? stderr.toString() : JSON.parse(stdout.toString())
}
const asSomebody = ['setpriv', '--reuid=65530', '--regid=65530', '--clear-groups']
const canRead =
  spawnSync(asSomebody[0] ?? '', [...asSomebody.slice(1), process.execPath, '--check', fixture], { stdio: 'ignore' })
    .status === 0
const withoutNetworks = [
  'unshare',
  '--user',
  '--map-root-user',
  'sh',
  '-c',
  'echo 0 > /proc/sys/user/max_net_namespaces; exec "$@"',
  'sh',
]
const canUnshare = spawnSync('unshare', ['--user', '--map-root-user', '--net', 'true']).status === 0

test.runIf(isRoot && canRead && canUnshare)('a server that isn’t root has namespaces of its users', () => {
  expect(sandboxAs(...asSomebody)).toEqual({ kinds: ['net', 'user'], warnings: 0, count: 1 })
})

test.runIf(isRoot && canUnshare)('without network namespaces ffmpeg runs without, and the server warns', () => {
  expect(sandboxAs(...withoutNetworks)).toEqual({ kinds: [], warnings: 2, count: 2 })
})

test('the start of the server warns of what the sandbox lacks', () => {
  const user = { uid: 65_530, gid: 65_530 }
  const isolation = { alone: [], join: [], kinds: [], loopbackUp: [] }
  const network =
    'Warning: ffmpeg shares the network of this machine: no network namespace can be made (docs/security.md, ffmpeg).'
  const before = ['setpriv', 'prlimit']
  expect(sandboxWarnings({ isolation, before, user: undefined })).toEqual([])
  expect(sandboxWarnings({ isolation: undefined, before, user })).toEqual([network])
  expect(sandboxWarnings({ isolation, before: ['prlimit'], user: undefined })).toEqual([
    'Warning: ffmpeg can gain privileges: setpriv (util-linux) is missing.',
  ])
  expect(sandboxWarnings({ isolation: undefined, before: [], user })).toEqual([
    'Warning: ffmpeg has no limit of memory: prlimit (util-linux) is missing.',
    network,
  ])
  expect(sandboxWarnings({ isolation: undefined, before, user: undefined })).toEqual([
    ...(isRoot ? ['Warning: ffmpeg runs as root, because no other user can run it here.'] : []),
    network,
  ])
})

/** A bare Debian has perl, and neither of the others. */
test
  .runIf(sandbox().isolation !== undefined)
  .each(loopbackCommands.map((way) => [way[0] ?? '', way] as const).filter(([program]) => isInPath(program)))(
  '%s brings the loopback of a namespace up',
  (_program, way) => {
    const [unshare = '', ...alone] = sandbox().isolation?.alone ?? []
    const { status, stderr } = spawnSync(unshare, [...alone, ...way], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  },
)
