import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { makeDemoLicense } from '../../../scripts/license.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { minuteMs } from '../../../server/durations.ts'
import { createTunnel, type Tunnel } from '../../../server/tunnel/tunnel.ts'
import { createVisitorThrottle, visitorOf } from '../../../server/users/visitors.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import type { ServerOptions } from '../../../server/app.ts'
import { features, password, start, startServer, type Harness } from '../fixtures/harness.ts'
import { canForward, sshServer } from './ssh-server.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { version } from '../../../server/version.ts'

const program = fileURLToPath(new URL('./tunnel-program.ts', import.meta.url))
const node = [process.execPath, '--disable-warning=ExperimentalWarning', program]
const stopped = { status: 'stopped', url: '', location: '', failureReason: '' }

type Opened = Harness & { ann: string; status: () => Promise<unknown>; until: (status: string) => Promise<unknown> }

const server = async (
  tunnelCommand: readonly string[],
  change: object = {},
  options: Partial<ServerOptions> = {},
): Promise<Opened> => {
  const harness = await startServer({
    ...options,
    tunnelCommand,
    defaults: { ...builtInValues, tunnel: { ...builtInValues.tunnel, locations: ['eu', 'us'], ...change } },
  })
  await harness.addUser('ann', true)
  const ann = await harness.signIn('ann')
  await harness.app.listen({ host: '127.0.0.1', port: 0 })
  const status = async () => (await harness.ask('GET', '/v1/tunnel/status', { cookie: ann })).body
  return {
    ...harness,
    ann,
    status,
    until: (wanted) => expect.poll(status).toMatchObject({ status: wanted }).then(status),
  }
}

const begin = async ({ ask, ann }: Opened, location = 'eu') => {
  const { status, body } = await ask('POST', '/v1/tunnel/start', { cookie: ann, body: { location } })
  return { status, body }
}

describe('the tunnel', () => {
  test('leads from the address of its program to this server, until it is stopped', async () => {
    const opened = await server([...node, '{port}'])
    const { ask, ann, status, until } = opened
    expect((await ask('GET', '/v1/system/internal/ui/settings')).body).toMatchObject({
      features: expect.arrayContaining(['tunnel']),
      tunnelLocations: ['eu', 'us'],
    })
    expect(await status()).toEqual(stopped)
    expect(await begin(opened)).toEqual({ status: 200, body: { ...stopped, status: 'starting', location: 'eu' } })
    const running = await until('running')
    expect(running).toEqual({
      status: 'running',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      location: 'eu',
      failureReason: '',
    })
    const through = await fetch(`${String(Reflect.get(Object(running), 'url'))}v1/system/health`)
    expect({ status: through.status, body: await through.json() }).toMatchObject({
      status: 200,
      body: { version },
    })
    expect(await begin(opened)).toEqual({
      status: 409,
      body: { code: 'ActionNotAcceptable', message: 'There is a tunnel already' },
    })
    const ended = await ask('POST', '/v1/tunnel/stop', { cookie: ann })
    expect({ status: ended.status, body: ended.body }).toEqual({ status: 200, body: stopped })
    await expect(fetch(String(Reflect.get(Object(running), 'url')))).rejects.toThrow('fetch failed')
  })

  test('may come out at a fixed address of its location, and holds once this server answers there', async () => {
    const outside = await freePort()
    const opened = await server([...node, '{port}', 'silent', String(outside)], {
      locations: ['127.0.0.1'],
      url: `http://{location}:${outside}/`,
    })
    await begin(opened, '127.0.0.1')
    const url = `http://127.0.0.1:${outside}/`
    expect(await opened.until('running')).toEqual({ status: 'running', url, location: '127.0.0.1', failureReason: '' })
  })

  test.each([
    [['/nonexistent/program'], '/nonexistent/program could not be started'],
    [
      [process.execPath, '-e', 'console.error("no route with https://joe:hush@host/"); process.exit(3)'],
      'It ended with code 3: no route with https://***@host/',
    ],
    [[process.execPath, '-e', ''], 'It ended with code 0'],
  ])('%j fails with its reason, and may be tried again', async (command, failureReason) => {
    const opened = await server(command)
    await begin(opened)
    const failed = { status: 'failed', url: '', location: 'eu', failureReason }
    expect(await opened.until('failed')).toEqual(failed)
    expect((await begin(opened)).status).toBe(200)
    expect(await opened.until('failed')).toEqual(failed)
  })

  test('takes only known locations, and needs a command and a licence that has not expired', async () => {
    const opened = await server([...node, '{port}'])
    expect(await begin(opened, '-oProxyCommand=x')).toEqual({
      status: 400,
      body: { code: 'ValidationError', details: { location: 'Unknown location' } },
    })
    await opened.context.license.upload(
      makeDemoLicense({ licensee: '', features: [], issuedAt: start, expiresAt: start + 1000 }),
    )
    opened.wait(1000)
    expect(await begin(opened)).toEqual({ status: 403, body: { code: 'LicenseExpired' } })
    const without = await server([])
    expect(await begin(without)).toEqual({ status: 403, body: { code: 'FeatureNotFound' } })
    expect(await without.status()).toEqual(stopped)
    expect((await without.ask('GET', '/v1/system/internal/ui/settings')).body).toMatchObject({
      features: expect.not.arrayContaining(['tunnel']),
    })
  })
})

describe('who comes by the tunnel', () => {
  const outside = 'cams.example.org'
  const command = ['sh', '-c', `echo https://${outside}/; sleep 300`]
  const by = (host: string, ip = '127.0.0.1', headers = {}) => ({ ip, headers: { host, ...headers } })

  test('is answered under the name it comes out at, as long as it runs', async () => {
    const opened = await server(command)
    const status = async () => (await opened.ask('GET', '/v1/system/health', by(outside))).status
    expect(await status()).toBe(421)
    await begin(opened)
    await opened.until('running')
    expect(await status()).toBe(200)
    await opened.ask('POST', '/v1/tunnel/stop', { cookie: opened.ann })
    expect(await status()).toBe(421)
  })

  test('is answered before it is known to run, where its address is set', async () => {
    const opened = await server(['sh', '-c', 'sleep 300'], { url: `https://{location}.${outside}:8443/` })
    await begin(opened)
    expect((await opened.ask('GET', '/v1/system/health', by(`eu.${outside}`))).status).toBe(200)
    expect((await opened.ask('GET', '/v1/system/health', by(`us.${outside}`))).status).toBe(421)
  })

  test.each([
    [
      'is one host with all from this machine, whatever name they send, not with the network',
      undefined,
      'tunnel',
      true,
    ],
    ['is a host of their own where the far end says who they are, and is trusted', 'loopback', '203.0.113.9', false],
  ])('%s', async (_name, trustProxy, host, isShared) => {
    const seen: unknown[] = []
    const opened = await server(
      command,
      {},
      {
        ...(trustProxy === undefined ? {} : { trustProxy }),
        plugins: [
          (app, { hosts }) => {
            app.get('/v1/who', { config: { access: { to: 'anyone' } } }, async (request) => {
              seen.push(visitorOf(request, hosts))
              return {}
            })
          },
        ],
      },
    )
    await begin(opened)
    await opened.until('running')
    const far = by(outside, '127.0.0.1', { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' })
    for (const ask of [far, by('localhost'), by(outside, '192.168.1.7'), by('localhost', '::1')]) {
      await opened.ask('GET', '/v1/who', ask)
    }
    const single = (of: string) => ({ host: of, isShared: false })
    const shared = { host: 'tunnel', isShared: true }
    expect(seen).toEqual([{ host, isShared }, shared, single('192.168.1.7'), shared])
  })

  test('counts so from the start of the program, before its address is known, to its end', async () => {
    const opened = await server(['sh', '-c', 'sleep 300'])
    const { hosts } = opened.context
    expect(hosts.hasTunnel()).toBe(false)
    await begin(opened)
    expect([hosts.hasTunnel(), hosts.isAllowed(outside)]).toEqual([true, false])
    await opened.ask('POST', '/v1/tunnel/stop', { cookie: opened.ann })
    expect(hosts.hasTunnel()).toBe(false)
  })

  test('has ten times the attempts of a host, and takes none from it', async () => {
    const alone = { store: await memoryStore(), cluster: { isShared: false }, now: () => 0 }
    const throttle = createVisitorThrottle(alone, 'sign-in')
    const shared = { host: 'tunnel', isShared: true }
    const single = { host: '127.0.0.1', isShared: false }
    const taken = async (visitor: typeof shared) => {
      const waits = await Promise.all(Array.from({ length: 200 }, () => throttle.take(visitor)))
      return waits.filter((wait) => wait === undefined).length
    }
    expect([await taken(shared), await taken(single)]).toEqual([100, 10])
    expect([await throttle.take(shared), await throttle.take(single)]).toEqual([3, 30])
    await throttle.giveBack(shared)
    expect([await throttle.take(shared), await throttle.take(single)]).toEqual([undefined, 30])
  })

  test('does not make this machine one that a login came from', async () => {
    const opened = await server(command)
    await begin(opened)
    await opened.until('running')
    const known = async () =>
      (
        await opened.context.store.all(
          z.object({ address: z.string() }),
          'SELECT address FROM known_addresses ORDER BY address',
        )
      ).map(({ address }) => address)
    const before = await known()
    const signIn = (ask: object) => opened.ask('POST', '/v1/sign-in', { ...ask, body: { name: 'ann', password } })
    expect((await signIn(by(outside, '127.0.0.1', { origin: `http://${outside}` }))).status).toBe(200)
    // Under a name of their choice, too.
    expect((await signIn({ ip: '127.0.0.1' })).status).toBe(200)
    expect(await known()).toEqual(before)
    await opened.ask('POST', '/v1/tunnel/stop', { cookie: opened.ann })
    expect((await signIn({ ip: '127.0.0.1' })).status).toBe(200)
    expect(await known()).toEqual(['127.0.0.1', ...before])
  })
})

describe('with a licence', () => {
  const announced = async ({ ask }: Opened) =>
    Reflect.get(Object((await ask('GET', '/v1/system/internal/ui/settings')).body), 'features')
  const claims = { licensee: '', issuedAt: start, expiresAt: start + 1000 }

  test('the tunnel is there while the licence names it and holds', async () => {
    const opened = await server([...node, '{port}'])
    await opened.context.license.upload(makeDemoLicense({ ...claims, features: ['cluster'] }))
    expect(await begin(opened)).toEqual({ status: 403, body: { code: 'FeatureNotFound' } })
    expect(await announced(opened)).toEqual(features)
    await opened.context.license.upload(makeDemoLicense({ ...claims, features: ['tunnel'] }))
    expect(await announced(opened)).toContain('tunnel')
    expect((await begin(opened)).status).toBe(200)
    opened.wait(1000)
    expect(await announced(opened)).not.toContain('tunnel')
  })

  test.each([
    ['has expired', ['tunnel'], 1000],
    ['no longer names it', ['cluster'], 0],
  ])('a tunnel that runs is stopped once the licence %s', async (_name, named, ms) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const opened = await server([...node, '{port}'])
    const { license } = opened.context
    await license.upload(makeDemoLicense({ ...claims, features: ['tunnel'] }))
    await begin(opened)
    await opened.until('running')
    vi.advanceTimersByTime(minuteMs)
    expect(await opened.status()).toMatchObject({ status: 'running' })
    await license.upload(makeDemoLicense({ ...claims, features: named }))
    opened.wait(ms)
    vi.advanceTimersByTime(minuteMs)
    expect(await opened.status()).toEqual(stopped)
  })
})

describe('what its program started ends with it', () => {
  const isThere = (pid: number): boolean => {
    try {
      // The end of a child that nobody waits for is that of a zombie until init takes it.
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    } catch {
      return false
    }
  }
  const pidOf = async (file: string): Promise<number> => {
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n')).toBe(true)
    return Number(readFileSync(file, 'utf8'))
  }
  const fileInside = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return join(folder, 'pid')
  }
  const gone = (pid: number) => expect.poll(() => isThere(pid)).toBe(false)

  test('as it is stopped', async () => {
    const file = fileInside()
    const opened = await server(['sh', '-c', `echo https://t.example.org; sleep 300 & echo $! > ${file}; wait`])
    await begin(opened)
    await opened.until('running')
    const pid = await pidOf(file)
    const { status, body } = await opened.ask('POST', '/v1/tunnel/stop', { cookie: opened.ann })
    expect({ status, body }).toEqual({ status: 200, body: stopped })
    await gone(pid)
  })

  test('as the program ends by itself', async () => {
    const file = fileInside()
    const opened = await server(['sh', '-c', `sleep 300 & echo $! > ${file}; echo no route; exit 3`])
    await begin(opened)
    expect(await opened.until('failed')).toMatchObject({ failureReason: 'It ended with code 3: no route' })
    await gone(await pidOf(file))
  })

  test('as the server ends, even all at once', async () => {
    const file = fileInside()
    const code = `
      import { createTunnel } from ${JSON.stringify(fileURLToPath(new URL('../../../server/tunnel/tunnel.ts', import.meta.url)))}
      import { existsSync, readFileSync } from 'node:fs'
      const isWritten = () => existsSync('${file}') && readFileSync('${file}', 'utf8').endsWith('\\n')
      const log = { info() {}, warn() {} }
      const settings = () => ({ url: '', urlPattern: 'x', locations: ['eu'] })
      createTunnel({ command: ['sh', '-c', 'sleep 300 & echo $! > ${file}; wait'], port: () => 1, settings, log }).start('eu')
      setInterval(() => { if (isWritten()) process.exit(1) }, 20)`
    const own = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code], {
      stdio: 'ignore',
    })
    expect(await once(own, 'exit')).toEqual([1, null])
    await gone(await pidOf(file))
  })

  test.skipIf(process.platform !== 'linux')('even where it holds the output in a group of its own', async () => {
    const file = fileInside()
    const opened = await server([
      'sh',
      '-c',
      `setsid sh -c 'echo $$ > ${file}; exec sleep 300' & echo https://t.example.org; wait`,
    ])
    await begin(opened)
    await opened.until('running')
    const pid = await pidOf(file)
    onTestFinished(() => void process.kill(pid))
    expect((await opened.ask('POST', '/v1/tunnel/stop', { cookie: opened.ann })).body).toEqual(stopped)
  })
})

test.each([
  ['tells no address', '', 'It told no address'],
  ['leads nowhere', 'http://127.0.0.1:9/{location}/', 'Nothing answered at http://127.0.0.1:9/eu/'],
])('a program that %s is given up', async (_, url, failureReason) => {
  const { context } = await startServer()
  const tunnel: Tunnel = createTunnel({
    command: [...node, '{port}', 'silent'],
    port: () => 1,
    settings: () => ({ ...builtInValues.tunnel, url }),
    log: context.log,
    addressTimeoutMs: 100,
    retryMs: 10,
  })
  onTestFinished(() => tunnel.stop())
  tunnel.start('eu')
  await expect.poll(() => tunnel.state()).toEqual({ status: 'failed', url: '', location: 'eu', failureReason })
})

const tunnelOf = async (code: string, settings = {}): Promise<Tunnel> => {
  const { context } = await startServer()
  const tunnel = createTunnel({
    command: [process.execPath, '-e', code],
    port: () => 1,
    settings: () => ({ ...builtInValues.tunnel, ...settings }),
    log: context.log,
  })
  onTestFinished(() => tunnel.stop())
  tunnel.start('eu')
  return tunnel
}

test('an expression that takes for ever is given up, and holds nothing up', async () => {
  const tunnel = await tunnelOf(`console.log('a'.repeat(1500) + '!'); setInterval(() => undefined, 1000)`, {
    urlPattern: '(a+)+$',
  })
  await expect
    .poll(() => tunnel.state())
    .toMatchObject({ status: 'failed', failureReason: 'The expression for its address takes too long' })
})

test('of a line without end only the beginning is read, and the next line is read as any', async () => {
  const tunnel = await tunnelOf(
    `
    process.stdout.write('https://' + 'a'.repeat(9_000_000))
    process.stdout.end('https://too.late.example.org' + String.fromCharCode(10) + 'https://t.example.org')
    setInterval(() => undefined, 1000)`,
    { urlPattern: String.raw`https://[\w.]+\.org` },
  )
  await expect.poll(() => tunnel.state()).toMatchObject({ status: 'running', url: 'https://t.example.org' })
})

test.skipIf(!canForward)('ssh -R leads to this server, until its connection is lost or not to be had', async () => {
  const ssh = await sshServer()
  onTestFinished(() => ssh.stop())
  const outside = await freePort()
  const url = `http://127.0.0.1:${outside}/`
  const opened = await server(ssh.command(outside), { url })
  await begin(opened)
  expect(await opened.until('running')).toEqual({ status: 'running', url, location: 'eu', failureReason: '' })
  const through = await fetch(`${url}v1/system/health`)
  expect({ status: through.status, body: await through.json() }).toMatchObject({
    status: 200,
    body: { version },
  })
  await ssh.stop()
  expect(await opened.until('failed')).toMatchObject({
    url: '',
    failureReason: expect.stringMatching(/^It ended with code 255/),
  })
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  await begin(opened)
  expect(await opened.until('failed')).toMatchObject({ failureReason: expect.stringContaining('Connection refused') })
})
