import * as HLS from 'hls-parser'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { isInPath } from '../../../server/media/programs.ts'
import { portOf } from '../../../server/start.ts'
import { patience } from '../../fixtures/patience.ts'
import { password } from '../fixtures/harness.ts'
import { add, newFolder, record, t0, uid } from '../fixtures/tape.ts'
import { certified, connect2 } from '../fixtures/tls.ts'
import { decoded, segments, startVideo } from '../fixtures/video.ts'
import { freePort } from '../../../scripts/free-port.ts'

const host = 'cams.example.org'
const forged = '203.0.113.9'

/** A recipe of `deploy/` on ports and with files of this test, and the command that runs it. */
type Laid = { port: number; server: number; folder: string; cert: string; key: string }
type Proxy = { program: string; lay: (laid: Laid) => string[] }

const nginx: Proxy = {
  program: 'nginx',
  lay: ({ port, server, folder, cert, key }) => {
    const site = readFileSync('deploy/nginx.conf', 'utf8')
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
  lay: ({ port, server, folder, cert, key }) => {
    const site = readFileSync('deploy/Caddyfile', 'utf8')
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

const startBehind = async ({ lay }: Proxy) => {
  const [folder, distDir] = [newFolder(), newFolder()]
  mkdirSync(join(distDir, 'assets'))
  writeFileSync(join(distDir, 'index.html'), '<!doctype html><title>console</title>')
  writeFileSync(join(distDir, 'assets/a-0000000.js'), 'x'.repeat(1000))
  const video = await startVideo({ distDir, dataDir: newFolder(), trustProxy: 'loopback', allowedHosts: [host] })
  await video.site.untilRepaired()
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  const { files, ca } = certified(host)
  const port = await freePort()
  const [program = '', ...args] = lay({ port, server: portOf(video.app), folder, ...files })
  const child = spawn(program, args, { env: { PATH: process.env['PATH'], HOME: folder }, stdio: 'ignore' })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await vi.waitFor(() => listening(port), patience)
  const client = connect2(port, ca, { servername: host })
  const call = (path: string, headers: Record<string, string> = {}, body?: string) =>
    client.call(path, { ':authority': host, ...headers }, body)
  return { video, call }
}

const json = { 'content-type': 'application/json', origin: `https://${host}` }

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

    const credentials = JSON.stringify({ name: 'admin', password })
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

    await add(video)
    await record(video, 0, 120)
    const range = `start_time=${new Date(t0).toISOString()}&end_time=${new Date(t0 + 120_000).toISOString()}`
    const whole = await call(`/v1/stream/${uid}/archive/download?${range}`, { cookie })
    expect([whole.status, whole.body.length]).toEqual([200, Number(whole.headers['content-length'])])
    expect(decoded(whole.body)).toBe('')
  })
})
