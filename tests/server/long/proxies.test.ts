import * as HLS from 'hls-parser'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { isInPath } from '../../../server/media/programs.ts'
import { portOf } from '../../../server/start.ts'
import { patience } from '../../fixtures/patience.ts'
import { password } from '../fixtures/harness.ts'
import { requestExport, untilMade, verified } from '../fixtures/export-file.ts'
import { add, newFolder, record, t0, uid } from '../fixtures/tape.ts'
import { certified, connect2 } from '../fixtures/tls.ts'
import { decoded, segments, startVideo } from '../fixtures/video.ts'
import { freePort } from '../../../scripts/free-port.ts'

const host = 'cams.example.org'
const forged = '203.0.113.9'

/** A recipe of `deploy/` on ports and with files of this test, and the command that runs it. */
type Laid = {
  port: number
  server: number
  folder: string
  cert: string
  key: string
  change: (recipe: string) => string
}
type Proxy = {
  program: string
  recipe: string
  /** The recipe for `/cameras`, as its first lines say. */
  below: (recipe: string) => string
  lay: (laid: Laid) => string[]
}

const nginx: Proxy = {
  program: 'nginx',
  recipe: 'deploy/nginx.conf',
  below: (recipe) =>
    recipe.replace('return 302 /ui/', 'return 302 /cameras/ui/').replace('^/(ui|v1)', '^/cameras/(ui|v1)'),
  lay: ({ port, server, folder, cert, key, change }) => {
    const site = change(readFileSync('deploy/nginx.conf', 'utf8'))
      .replace('127.0.0.1:8080', `127.0.0.1:${server}`)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${cert};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${join(folder, name)};`)
      .join('\n')
    const file = join(folder, 'nginx.conf')
    const main = `daemon off; pid ${join(folder, 'pid')}; error_log stderr; events {}`
    writeFileSync(file, `${main}\nhttp {\naccess_log off;\n${temporary}\n${site}}\n`)
    return ['nginx', '-e', 'stderr', '-p', folder, '-c', file]
  },
}

const caddy: Proxy = {
  program: 'caddy',
  recipe: 'deploy/Caddyfile',
  below: (recipe) =>
    recipe
      .replace('/ /ui/', '/ /cameras/ui/')
      .replace('path /ui /ui/* /v1/*', 'path /cameras/ui /cameras/ui/* /cameras/v1/*'),
  lay: ({ port, server, folder, cert, key, change }) => {
    const site = change(readFileSync('deploy/Caddyfile', 'utf8'))
      .replace('127.0.0.1:8080', `127.0.0.1:${server}`)
      .replace(/^cams\.example\.org \{$/m, `https://${host}:${port} {\n\ttls ${cert} ${key}`)
    const file = join(folder, 'Caddyfile')
    writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file]
  },
}

const listening = async (port: number): Promise<void> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}

/** Starts a proxy in front of the server on a port, by its recipe or by what `change` makes of it. */
const startProxy = async ({ lay }: Proxy, server: number, change: Laid['change'] = (recipe) => recipe) => {
  const folder = newFolder()
  const { files, ca } = certified(host)
  const port = await freePort()
  const [program = '', ...args] = lay({ port, server, folder, ...files, change })
  const child = spawn(program, args, { env: { PATH: process.env['PATH'], HOME: folder }, stdio: 'ignore' })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await vi.waitFor(() => listening(port), patience)
  const client = connect2(port, ca, { servername: host })
  return (path: string, headers: Record<string, string> = {}, body?: string) =>
    client.call(path, { ':authority': host, ...headers }, body)
}

const startBehind = async (
  proxy: Proxy,
  { basePath = '', change }: { basePath?: string; change?: Laid['change'] } = {},
) => {
  const distDir = newFolder()
  mkdirSync(join(distDir, 'assets'))
  writeFileSync(join(distDir, 'index.html'), '<!doctype html><html lang="en"><title>console</title>')
  writeFileSync(join(distDir, 'assets/a-0000000.js'), 'x'.repeat(1000))
  const video = await startVideo({
    distDir,
    dataDir: newFolder(),
    trustProxy: 'loopback',
    basePath,
    allowedHosts: [host],
  })
  await video.site.untilRepaired()
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  return { video, call: await startProxy(proxy, portOf(video.app), change) }
}

const json = { 'content-type': 'application/json', origin: `https://${host}` }
const credentials = JSON.stringify({ name: 'admin', password })
/** Where a recipe says how long the server may be silent. */
const silence = /(?<=proxy_read_timeout |response_header_timeout )(\d+)s/

describe.each([nginx, caddy].map((proxy) => [proxy.program, proxy] as const))('behind %s', (program, proxy) => {
  test.runIf(isInPath(program))('one signs in, watches and downloads, and nobody forges their address', async () => {
    const { video, call } = await startBehind(proxy)
    expect(await call('/')).toMatchObject({ status: 302, headers: { location: expect.stringMatching(/\/ui\/$/) } })
    expect((await call('/ui/streams')).body.toString()).toContain('<title>console</title>')
    const part = await call('/ui/assets/a-0000000.js', { range: 'bytes=10-19', 'accept-encoding': 'identity' })
    expect([part.status, part.headers['content-range'], part.body.length]).toEqual([206, 'bytes 10-19/1000', 10])
    // What isn't below the two paths, or of another name, isn't passed on, or is refused.
    expect((await call('/elsewhere')).body.toString()).not.toContain('"code"')
    expect((await call('/v1/system/health', { ':authority': 'evil.example' })).body.toString()).not.toContain('version')

    const foreign = await call('/v1/sign-in', { ...json, origin: 'https://evil.example' }, credentials)
    expect(foreign.status).toBe(403)
    const signedIn = await call('/v1/sign-in', { ...json, 'x-forwarded-for': forged }, credentials)
    expect(signedIn.status).toBe(200)
    // That it is HTTPS, the server knows from the proxy.
    expect(signedIn.headers['set-cookie']).toEqual([expect.stringMatching(/^__Host-session=.*Secure/)])
    const [cookie = ''] = (signedIn.headers['set-cookie']?.[0] ?? '').split(';')
    const log = JSON.parse((await call('/v1/admin/audit-logs', { cookie })).body.toString())
    expect(log.items[0]).toMatchObject({ action: 'session.sign-in', ip: '127.0.0.1', outcome: 'ok' })

    const made = await call('/v1/stream', { ...json, cookie }, JSON.stringify({ name: 'x', streamSource: 'demo:gate' }))
    const { uid: live } = z.parse(z.object({ uid: z.string() }), JSON.parse(made.body.toString()))
    await segments(video.site, live, 2)
    const base = `/v1/stream/${live}/archive`
    const multivariant = HLS.parse((await call(`${base}/index.m3u8`, { cookie })).body.toString())
    const [variant] = multivariant.isMasterPlaylist ? multivariant.variants : []
    const media = HLS.parse((await call(`${base}/${variant?.uri}`, { cookie })).body.toString())
    const [first] = media.isMasterPlaylist ? [] : media.segments
    const film = await Promise.all(
      [first?.map?.uri, first?.uri].map(async (uri) => (await call(`${base}/${uri}`, { cookie })).body),
    )
    expect(decoded(Buffer.concat(film))).toBe('')
    // A proxy calls by HTTP/1.1, where no reload waits for what it names.
    const reload = await call(`${base}/${variant?.uri}?_HLS_msn=1000000`, { cookie })
    expect([reload.status, reload.body.includes('CAN-BLOCK-RELOAD')]).toEqual([200, false])

    await add(video)
    await record(video, 0, 120)
    const range = `start_time=${new Date(t0).toISOString()}&end_time=${new Date(t0 + 120_000).toISOString()}`
    const whole = await call(`/v1/stream/${uid}/archive/download?${range}`, { cookie })
    expect([whole.status, whole.body.length]).toEqual([200, Number(whole.headers['content-length'])])
    expect(decoded(whole.body)).toBe('')
  })

  test.runIf(isInPath(program))('the same works below a path', async () => {
    const { video, call } = await startBehind(proxy, { basePath: '/cameras', change: proxy.below })
    expect((await call('/')).headers.location).toMatch(/\/cameras\/ui\/$/)
    expect((await call('/cameras/ui/streams')).body.toString()).toContain('<html data-base-path="/cameras" lang="en">')
    for (const path of ['/ui/streams', '/v1/system/health', '/cameras/elsewhere'])
      expect((await call(path)).body.toString()).not.toMatch(/console|version|"code"/)
    const signedIn = await call('/cameras/v1/sign-in', json, credentials)
    const [cookie = ''] = (signedIn.headers['set-cookie']?.[0] ?? '').split(';')
    await add(video)
    await record(video, 0, 120)
    const base = `/cameras/v1/stream/${uid}/archive`
    const query = new URLSearchParams({
      start_time: new Date(t0).toISOString(),
      end_time: new Date(t0 + 60_000).toISOString(),
    })
    const multivariant = HLS.parse((await call(`${base}/index.m3u8?${query}`, { cookie })).body.toString())
    const [variant] = multivariant.isMasterPlaylist ? multivariant.variants : []
    const media = HLS.parse((await call(`${base}/${variant?.uri}`, { cookie })).body.toString())
    const [first] = media.isMasterPlaylist ? [] : media.segments
    const film = await Promise.all(
      [first?.map?.uri, first?.uri].map(async (uri) => (await call(`${base}/${uri}`, { cookie })).body),
    )
    expect(decoded(Buffer.concat(film))).toBe('')
  })

  test.runIf(isInPath(program))('an export comes whole, and in ranges', async () => {
    const { video, call } = await startBehind(proxy)
    const signedIn = await call('/v1/sign-in', json, credentials)
    const [cookie = ''] = (signedIn.headers['set-cookie']?.[0] ?? '').split(';')
    await add(video)
    await record(video, 0, 600)
    const { id } = await requestExport(video, [[uid, 0, 600]])
    await untilMade(video, id)
    const file = `/v1/export/${id}/file`
    const whole = await call(file, { cookie })
    const size = whole.body.length
    expect([whole.status, whole.headers['content-length'], whole.headers['accept-ranges']]).toEqual([
      200,
      String(size),
      'bytes',
    ])
    expect((await verified(whole.body)).verdict).toBe('unchanged')
    for (const [from, to] of [
      [0, 99],
      [1000, size - 1000],
      [size - 1, size - 1],
    ] as const) {
      const part = await call(file, { cookie, range: `bytes=${from}-${to}` })
      expect([part.status, part.headers['content-range']]).toEqual([206, `bytes ${from}-${to}/${size}`])
      expect(part.body.equals(whole.body.subarray(from, to + 1))).toBe(true)
    }
    expect((await call(file, { cookie, range: `bytes=${size}-` })).status).toBe(416)
  })

  test.runIf(isInPath(program))('the server may be silent as long as the recipe says', async () => {
    const recipe = readFileSync(proxy.recipe, 'utf8')
    const [, seconds] = silence.exec(recipe) ?? []
    // Longer than the minute that the server gives a request.
    expect(Number(seconds)).toBeGreaterThan(60)
    const server = createServer(() => undefined)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    const port = address === null || typeof address === 'string' ? 0 : address.port
    const call = await startProxy(proxy, port, () => recipe.replace(silence, '1s'))
    expect((await call('/v1/streams')).status).toBe(504)
  })
})
