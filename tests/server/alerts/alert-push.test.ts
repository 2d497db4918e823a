import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto'
import { createServer } from 'node:https'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import type { Happening } from '../../../server/alerts/happenings.ts'
import { encryptFor, pushKeyOf, subscriptionOf } from '../../../server/alerts/push.ts'
import { createSend } from '../../../server/alerts/send.ts'
import { alertServer } from './alert-server.ts'
import { start, startServer } from '../fixtures/harness.ts'
import { certified } from '../fixtures/tls.ts'

const decoded = (text: string) => Buffer.from(text, 'base64url')

test('a message is encrypted as the example of RFC 8291 is', () => {
  const own = createECDH('prime256v1')
  own.setPrivateKey(decoded('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const sealed = encryptFor(
    { endpoint: '', keys },
    'When I grow up, I want to be a watermelon',
    decoded('DGv6ra1nlYgDCS1FRnbzlw'),
    own,
  )
  expect(sealed.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A' +
      '_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

/** A browser: it subscribes, and reads what it is sent. */
const browser = (endpoint: string) => {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const auth = Buffer.alloc(16, 7)
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
  return {
    address: JSON.stringify({
      endpoint,
      expirationTime: null,
      keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') },
    }),
    read: (sealed: Buffer): unknown => {
      const [salt, theirs, rest] = [sealed.subarray(0, 16), sealed.subarray(21, 86), sealed.subarray(86)]
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), theirs])
      const secret = derive(own.computeSecret(theirs), auth, info, 32)
      const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
      const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(rest.subarray(-16))
      const plain = Buffer.concat([decipher.update(rest.subarray(0, -16)), decipher.final()])
      expect(plain.at(-1)).toBe(2)
      return JSON.parse(plain.subarray(0, -1).toString())
    },
  }
}

/** A push service over HTTPS on this machine, whose certificate is trusted for the test. */
const pushService = async (...statuses: number[]) => {
  const { ca, tls } = certified()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, ca.toString()])
  onTestFinished(() => setDefaultCACertificates(before))
  const calls: { headers: Record<string, unknown>; body: Buffer }[] = []
  const server = createServer({ cert: tls.cert, key: tls.key }, async (request, response) => {
    calls.push({ headers: request.headers, body: await buffer(request) })
    response.writeHead(statuses.shift() ?? 201).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  return { endpoint: `https://localhost:${port}/send/abc`, origin: `https://localhost:${port}`, calls }
}

const soon = 14_000

test('a browser is sent what happened, encrypted for it and signed by the key that the server shows', async () => {
  const { endpoint, origin, calls } = await pushService()
  const { address, read } = browser(endpoint)
  const { add, ask, admin, fail, pass, deliveries } = await alertServer({ uids: ['c1'] })
  await add({ name: 'Night', on: ['stream.failed'], to: [{ kind: 'push', address }] })
  const { pushKey } = Object((await ask('GET', '/v1/alerts', { cookie: admin })).body)
  fail('c1')
  await pass(soon)
  const [call] = calls
  if (call === undefined) throw new Error('nothing was sent')
  expect(read(call.body)).toEqual({
    title: 'Sightline: Camera c1 failed',
    body: expect.stringContaining('Camera c1 failed (the camera does not answer)'),
    tag: (await deliveries())[0]?.['id'],
    path: '/ui/stream/c1/view',
  })
  expect(call.headers).toMatchObject({ ttl: '86400', urgency: 'high', 'content-encoding': 'aes128gcm' })
  const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(String(call.headers['authorization'])) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  expect(key).toBe(pushKey)
  expect(JSON.parse(decoded(claims).toString())).toEqual({
    aud: origin,
    exp: Math.floor(start / 1000) + 10 + 12 * 3600,
    sub: expect.stringMatching(/^(?:mailto|https):/),
  })
  const point = decoded(key)
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const known = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const signed = Buffer.from(`${head}.${claims}`)
  expect(verify('sha256', signed, { key: known, dsaEncoding: 'ieee-p1363' }, decoded(signature))).toBe(true)
  expect(await deliveries()).toMatchObject([{ status: 'sent', kind: 'push', address: origin }])
})

test('each message has a tag of its own, and the page of the console that shows what happened', async () => {
  const { endpoint, calls } = await pushService()
  const { address, read } = browser(endpoint)
  const { context } = await startServer()
  const send = createSend({ ...context, allowsLoopback: () => true, pushKey: pushKeyOf(Buffer.alloc(32, 1)) })
  const failed = (streamId: string): Happening => ({ on: 'stream.failed', streamId, time: 1000 })
  const event = (streamId: string): Happening => ({ on: 'event', streamId, label: 'car', time: 1000 })
  const cases: [Happening[], string][] = [
    [[event('a/1')], '/ui/stream/a%2F1/view?at=1970-01-01T00:00:01.000Z'],
    [[failed('a'), { ...failed('a'), on: 'stream.recovered' }], '/ui/stream/a/view'],
    [[event('a'), event('b')], '/ui/events'],
    [[failed('a'), failed('b')], ''],
    [[{ on: 'disk.full', time: 1000 }], ''],
    [[], ''],
  ]
  for (const [index, [happenings]] of cases.entries()) {
    const message = { id: `m${index}`, alert: 'a1', name: 'Night', kind: 'push', address, secret: '' } as const
    await send({ ...message, happenings, total: happenings.length }, AbortSignal.timeout(60_000))
  }
  expect(calls.map(({ body }) => read(body))).toMatchObject(
    cases.map(([, path], index) => ({ tag: `m${index}`, path })),
  )
})

test('a subscription that has ended is given up at once', async () => {
  const { endpoint, calls } = await pushService(410)
  const { add, fail, pass, deliveries } = await alertServer({ uids: ['c1'] })
  await add({ name: 'Night', on: ['stream.failed'], to: [{ kind: 'push', address: browser(endpoint).address }] })
  fail('c1')
  await pass(60_000)
  expect([calls.length, await deliveries()]).toMatchObject([1, [{ status: 'failed', failureReason: 'PUSH_ENDED' }]])
})

test.each([
  ['no JSON', 'https://push.example.org/'],
  ['without keys', '{"endpoint":"https://push.example.org/"}'],
  ['a key that is no point', browser('x').address.replace(/"p256dh":"..../, '"p256dh":"BAAA')],
  ['over HTTP', browser('http://192.0.2.7/').address],
  ['with a login', browser('https://a:b@192.0.2.7/').address],
  ['to a forbidden address', browser('https://169.254.169.254/').address],
])('a subscription that is %s is refused', async (_what, address) => {
  const { ask, admin } = await alertServer()
  const body = { name: 'Night', on: ['event'], to: [{ kind: 'push', address }] }
  const answer = await ask('POST', '/v1/alerts', { cookie: admin, body })
  expect([answer.status, Object.keys(Object(answer.body).details)]).toEqual([400, ['to.0.address']])
})

test('what a browser gives is read, with more fields than are used', () => {
  const { address } = browser('https://push.example.org/x')
  expect(subscriptionOf(address)?.endpoint).toBe('https://push.example.org/x')
})
