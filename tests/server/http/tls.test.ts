import * as HLS from 'hls-parser'
import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { makeCertificate } from '../../../scripts/certificate.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { readOptions } from '../../../server/options.ts'
import { portOf } from '../../../server/start.ts'
import { buildProxy } from '../../../server/upstream/proxy.ts'
import { password, startServer } from '../fixtures/harness.ts'
import { certified, connect2 } from '../fixtures/tls.ts'
import { decoded, segments, startVideo } from '../fixtures/video.ts'

const json = { 'content-type': 'application/json' }
const signIn = JSON.stringify({ name: 'admin', password })

test('over HTTP/2 one signs in, reads the configuration and plays', async () => {
  const { tls, ca, folder } = certified()
  const distDir = join(folder, 'dist')
  mkdirSync(distDir)
  writeFileSync(join(distDir, 'index.html'), '<!doctype html><title>console</title>')
  const video = await startVideo({ tls, distDir, configuration: { appTitle: 'Site A' } })
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  const port = portOf(video.app)
  const { call } = connect2(port, ca)
  const origin = `https://localhost:${port}`

  const index = await call('/ui/streams')
  expect([index.status, index.body.toString(), index.headers['strict-transport-security']]).toEqual([
    200,
    '<!doctype html><title>console</title>',
    'max-age=31536000',
  ])
  expect(JSON.parse((await call('/ui/config.json')).body.toString())).toEqual({ appTitle: 'Site A' })

  expect((await call('/v1/sign-in', { ...json, origin: 'https://elsewhere' }, signIn)).status).toBe(403)
  expect((await call('/v1/sign-in', { ...json, origin: 'null' }, signIn)).status).toBe(403)
  expect((await call('/v1/sign-in', { ...json, origin: `http://localhost:${port}` }, signIn)).status).toBe(403)
  const signedIn = await call('/v1/sign-in', { ...json, origin }, signIn)
  expect(signedIn.status).toBe(200)
  const [set = ''] = signedIn.headers['set-cookie'] ?? []
  expect(set).toMatch(/^__Host-session=[\w-]+; .*HttpOnly; Secure; SameSite=Lax$/)
  const [cookie = ''] = set.split(';')

  const made = await call(
    '/v1/stream',
    { ...json, origin, cookie },
    JSON.stringify({ name: 'x', streamSource: 'demo:gate' }),
  )
  const { uid } = z.parse(z.object({ uid: z.string() }), JSON.parse(made.body.toString()))
  await segments(video.site, uid, 2)
  const base = `/v1/stream/${uid}/archive`
  const multivariant = HLS.parse((await call(`${base}/index.m3u8`, { cookie })).body.toString())
  if (!multivariant.isMasterPlaylist) throw new Error('not a multivariant playlist')
  const media = HLS.parse((await call(`${base}/${multivariant.variants[0]?.uri}`, { cookie })).body.toString())
  if (media.isMasterPlaylist) throw new Error('not a media playlist')
  const [first] = media.segments
  const film = await Promise.all(
    [first?.map?.uri, first?.uri].map(async (uri) => (await call(`${base}/${uri}`, { cookie })).body),
  )
  expect(decoded(Buffer.concat(film))).toBe('')

  const share = await call(`/v1/stream/${uid}/share`, { cookie, origin })
  const { token } = z.parse(z.object({ token: z.string() }), JSON.parse(share.body.toString()))
  expect((await call(`${base}/index.m3u8`, { 'share-token': token })).status).toBe(200)
  expect((await call(`${base}/index.m3u8`)).status).toBe(401)

  const log = JSON.parse((await call('/v1/admin/audit-logs', { cookie })).body.toString())
  expect(
    log.items.slice(0, 4).map(({ login, action, ip, outcome }: Record<string, string>) => [login, action, ip, outcome]),
  ).toEqual(
    ['stream.share', 'stream.view', 'stream.create', 'session.sign-in'].map((action) => [
      'admin',
      action,
      '127.0.0.1',
      'ok',
    ]),
  )
})

test('who knows HTTP/1.1 alone is answered the same', async () => {
  const { tls, ca } = certified()
  const { app, addUser } = await startServer({ tls })
  await addUser('admin', true)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const call = httpsRequest({
    host: 'localhost',
    port: portOf(app),
    ca,
    path: '/v1/sign-in',
    method: 'POST',
    headers: { ...json, origin: `https://localhost:${portOf(app)}` },
  })
  call.end(signIn)
  const [answer] = await once(call, 'response')
  expect([answer.httpVersion, answer.statusCode]).toEqual(['1.1', 200])
  expect(answer.headers['set-cookie']).toEqual([expect.stringMatching(/^__Host-session=/)])
})

test('what can not be read, and a method that nobody knows, are answered with every guard over HTTPS too', async () => {
  const { tls, ca } = certified()
  const { app, addUser } = await startServer({ tls })
  await addUser('admin', true)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const guards = {
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'strict-transport-security': 'max-age=31536000',
    'cache-control': 'no-store',
  }
  const { call } = connect2(portOf(app), ca)
  const unreadable = await call('/v1/%zz')
  expect(unreadable).toMatchObject({ status: 400, headers: guards })
  expect(unreadable.body.toString()).toBe('{"code":"RequestDecodeError"}')
  const unknown = await call('/ui/', { ':method': 'FOO' })
  expect(unknown).toMatchObject({ status: 404, headers: guards })
  expect(unknown.body.toString()).toBe('{"code":"NotFound"}')
  const socket = connect({ host: 'localhost', port: portOf(app), ca, ALPNProtocols: ['http/1.1'] })
  socket.write('FOO /ui/ HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const unparsed = await text(socket)
  expect(unparsed).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  for (const [name, value] of Object.entries(guards)) expect(unparsed).toContain(`\r\n${name}: ${value}\r\n`)
})

/** An answer without end, as long as somebody reads it. */
const endless: ServerPlugin = (app) => {
  const send = async function* (): AsyncGenerator<Buffer> {
    for (;;) {
      yield Buffer.alloc(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const schema = { params: z.object({ uid: z.string() }) }
  app.get(
    '/v1/stream/:uid/live',
    { config: { access: { to: 'view', from: 'params.uid' } }, schema },
    async (_request, reply) => reply.send(Readable.from(send())),
  )
}

test('an answer under way breaks off when its caller loses the right, and closing the server ends the rest', async () => {
  const { tls, ca } = certified()
  const { app, ask, addUser, addStream, signIn: cookieOf } = await startServer({ tls, plugins: [endless] })
  for (const login of ['ann', 'bob', 'eve']) await addUser(login, true)
  await addStream('door')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { session } = connect2(portOf(app), ca)
  const open = async (login: string) => {
    const stream = session.request({
      ':path': '/v1/stream/door/live',
      cookie: (await cookieOf(login)).replace('session=', '__Host-session='),
    })
    const [answer] = await once(stream, 'response')
    expect(answer[':status']).toBe(200)
    const ended = new Promise((resolve) => {
      stream.once('error', () => undefined)
      stream.once('close', () => resolve(stream.readableEnded ? 'read' : 'broken'))
    })
    stream.resume()
    return { ended }
  }
  const [bob, eve] = [await open('bob'), await open('eve')]
  expect((await ask('POST', '/v1/user/bob/block', { cookie: await cookieOf('ann') })).status).toBe(200)
  expect(await bob.ended).toBe('broken')
  session.once('error', () => undefined)
  await Promise.all([app.close(), eve.ended])
})

test('before another server, calls go on without what only HTTP/2 has', async () => {
  const { tls, ca, folder } = certified()
  const seen: unknown[] = []
  const theirs = createServer((request, response) => {
    const { method, url, headers } = request
    seen.push({
      method,
      url,
      host: headers.host,
      origin: headers.origin,
      names: Object.keys(headers).filter((name) => name.startsWith(':')),
    })
    text(request).then(
      (body) => response.writeHead(201, { 'set-cookie': 'a=b; Secure' }).end(body.toUpperCase()),
      () => response.destroy(),
    )
  })
  theirs.listen(0, '127.0.0.1')
  await once(theirs, 'listening')
  const address = theirs.address()
  const upstream = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  const app = await buildProxy({ upstream, distDir: folder, tls })
  onTestFinished(async () => {
    await app.close()
    theirs.closeAllConnections()
    theirs.close()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { status, headers, body } = await connect2(portOf(app), ca).call(
    '/v1/x?y=z',
    { ...json, origin: `https://localhost:${portOf(app)}` },
    '{"a":1}',
  )
  expect([status, headers['set-cookie'], body.toString()]).toEqual([201, ['a=b; Secure'], '{"A":1}'])
  expect(seen).toEqual([{ method: 'POST', url: '/v1/x?y=z', host: upstream.host, origin: upstream.origin, names: [] }])
})

test('files that do not fit are reported in words', () => {
  const [one, other] = [certified(), certified('elsewhere')]
  const text = join(one.folder, 'a.txt')
  writeFileSync(text, 'nothing')
  const messageFor = (cert: string, key: string) => {
    try {
      readOptions(['--tls-cert', cert], { TLS_KEY: key })
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
    return 'none'
  }
  const none = join(one.folder, 'none.pem')
  expect(messageFor(one.files.cert, one.files.key)).toBe('none')
  expect(messageFor(none, one.files.key)).toBe(`TLS_CERT: there is no file ${none}`)
  expect(messageFor(one.folder, one.files.key)).toBe(`TLS_CERT: ${one.folder} can't be read`)
  expect(messageFor(text, one.files.key)).toBe(`TLS_CERT: ${text} holds no certificate (PEM)`)
  expect(messageFor(one.files.cert, text)).toBe(`TLS_KEY: ${text} holds no private key (PEM, without a passphrase)`)
  expect(messageFor(one.files.cert, other.files.key)).toBe(
    `TLS_KEY: the key in ${other.files.key} does not match the certificate in ${one.files.cert}`,
  )
  const chain = join(one.folder, 'chain.pem')
  writeFileSync(chain, `${one.ca.toString()}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`)
  expect(messageFor(chain, one.files.key)).toMatch(
    /^TLS_CERT: .+\/chain\.pem can't be used: error:.+asn1 encoding routines::wrong tag$/,
  )
})

test('a renewed certificate is taken without a restart, names and all, once it fits its key', async () => {
  const { tls, folder, files } = certified()
  const { app, context } = await startServer({ tls })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (host: string) => {
    const socket = connect({
      port: portOf(app),
      host: '127.0.0.1',
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    })
    await once(socket, 'secureConnect')
    const { fingerprint256 } = socket.getPeerCertificate()
    socket.write(`GET /v1/system/health HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    const [status = ''] = (await text(socket)).split('\r\n')
    return { fingerprint256, status }
  }
  const printOf = (pem: Buffer) => new X509Certificate(pem).fingerprint256
  const before = { fingerprint256: printOf(tls.cert), status: 'HTTP/1.1 421 Misdirected Request' }
  expect(await ask('cams.example')).toEqual(before)
  const renewed = makeCertificate(join(folder, 'renewed'), 'cams.example')
  copyFileSync(renewed.key, files.key)
  // It doesn't fit the certificate that is still there.
  await expect
    .poll(() => context.serverLog.read(undefined).map(({ message }) => message))
    .toContainEqual(expect.stringContaining('the certificate in use stays'))
  expect(await ask('cams.example')).toEqual(before)
  copyFileSync(renewed.cert, files.cert)
  await expect
    .poll(() => ask('cams.example'))
    .toEqual({ fingerprint256: printOf(readFileSync(renewed.cert)), status: 'HTTP/1.1 200 OK' })
})
