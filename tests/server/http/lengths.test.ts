import type { RouteOptions } from 'fastify'
import { text } from 'node:stream/consumers'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { portOf } from '../../../server/start.ts'
import { inputOf, maxJsonBytes } from '../../../server/http/limits.ts'
import { streamsPlugin } from '../../../server/streams/plugin.ts'
import { password, startServer } from '../fixtures/harness.ts'
import { certified, connect2 } from '../fixtures/tls.ts'

const decodeError = { code: 'RequestDecodeError' }

/** Every route there is. */
const routes = async (): Promise<RouteOptions[]> => {
  const found: RouteOptions[] = []
  await startServer({
    plugins: [streamsPlugin],
    beforeRoutes: (app) => app.addHook('onRoute', (route) => void found.push(route)),
  })
  return found
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The paths of strings and lists in a schema that nothing bounds. */
const unbounded = (schema: unknown, path: string): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    type,
    maxLength,
    maxItems,
    format,
    pattern,
    enum: words,
    const: word,
    properties,
    items,
    anyOf,
  }: JsonSchema = { ...schema }
  const isText =
    type === 'string' &&
    maxLength === undefined &&
    words === undefined &&
    word === undefined &&
    format !== 'date-time' &&
    pattern === undefined
  const isList = type === 'array' && maxItems === undefined
  return [
    ...(isText || isList ? [path] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, property]) => unbounded(property, `${path}.${name}`)),
    ...unbounded(items, `${path}[]`),
    ...(anyOf ?? []).flatMap((one) => unbounded(one, path)),
  ]
}

describe('every route', () => {
  test('bounds each text and list that it takes', async () => {
    const found = (await routes()).flatMap(({ method, url, schema }) =>
      ['body', 'querystring'].flatMap((part) =>
        unbounded(inputOf(Reflect.get(Object(schema), part)), `${String(method)} ${url} ${part}`),
      ),
    )
    // One of few words each, though JSON Schema doesn't show it.
    const flags = /\.(?:extend_lease|onlyAvailable|isOnlyAvailable|purge|unlock)$/
    expect(found.filter((path) => !flags.test(path))).toEqual([])
  })

  test('reads a body as long as its schema lets it be, and few that are long', async () => {
    const changing = (await routes()).filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(String(method)))
    expect(changing.length).toBeGreaterThan(30)
    const large = changing
      .filter(({ bodyLimit = 1024 }) => bodyLimit > 16 * 1024)
      .map(({ method, url, bodyLimit }) => `${String(method)} ${url} ${bodyLimit}`)
    expect(large.toSorted()).toEqual([
      'PATCH /v1/alert/:id 131072',
      'PATCH /v1/group/:id 4194304',
      'PATCH /v1/plan/:id 417150',
      'PATCH /v1/user 16949',
      'POST /v1/alerts 131072',
      'POST /v1/annotations 1048576',
      'POST /v1/exports 48485',
      'POST /v1/groups 4194304',
      'POST /v1/mosaic 51506',
      'POST /v1/mosaic/:id 51506',
      'POST /v1/plans 417150',
      'POST /v1/stream 91481',
      'POST /v1/stream/:uid/permissions 1048576',
      'POST /v1/system/unlock 65536',
      'POST /v1/user/:login/permissions 4194304',
      'PUT /v1/admin/configuration 524288',
      'PUT /v1/group/:id/permissions 1048576',
      'PUT /v1/plan/:id/picture 4194304',
      'PUT /v1/stream/:uid 91481',
      'PUT /v1/system/license 65536',
    ])
  })
})

test('what a schema lets through fits in what it is given', () => {
  const schema = z.object({
    a: z.string().check(z.maxLength(3)),
    b: z.optional(z.array(z.enum(['x', 'yy'])).check(z.maxLength(2))),
    c: z.nullish(z.int()),
    d: z.boolean(),
    e: z.literal('word'),
    f: z.union([z.literal(''), z.email().check(z.maxLength(20))]),
  })
  const longest = JSON.stringify({
    a: '\0\0\0',
    b: ['yy', 'yy'],
    c: Number.MIN_SAFE_INTEGER,
    d: false,
    e: 'word',
    f: 'x'.repeat(20),
  })
  expect(maxJsonBytes(inputOf(schema) ?? false)).toBeGreaterThanOrEqual(longest.length)
  expect(maxJsonBytes(inputOf(schema) ?? false)).toBeLessThan(400)
  for (const without of [
    z.string(),
    z.array(z.boolean()),
    z.record(z.string(), z.boolean()),
    z.unknown(),
    z.object({ a: z.optional(z.string()) }),
  ]) {
    expect(maxJsonBytes(inputOf(without) ?? false)).toBe(Infinity)
  }
})

test('a route that nothing bounds can not be registered', async () => {
  const optionsOf = (bodyLimit?: number) => ({
    plugins: [
      (app: Parameters<typeof streamsPlugin>[0]) => {
        const body = z.object({ words: z.string() })
        app.post(
          '/v1/words',
          { config: { access: { to: 'anyone' } }, schema: { body }, ...(bodyLimit === undefined ? {} : { bodyLimit }) },
          async () => ({}),
        )
      },
    ],
  })
  await expect(startServer(optionsOf())).rejects.toThrow(
    'POST /v1/words: nothing bounds its body: add maxLength or bodyLimit',
  )
  await startServer(optionsOf(100))
})

describe('a body that is too long', () => {
  /** What once kept the server from everything else for 23 s. */
  const marks = JSON.stringify({ name: 'ann', password: '\u0301\u0323'.repeat(60_000) })

  test.each([
    '/v1/sign-in',
    '/v1/system/unlock',
    '/v1/password/reset',
    '/v1/password/send-reset',
    '/v1/sign-out',
    '/v1/token',
    '/v1/stream',
    '/v1/mosaic',
    '/v1/bookmarks',
  ])('is refused by %s before it is read', async (url) => {
    const { ask, addUser, signIn } = await startServer({ plugins: [streamsPlugin] })
    await addUser('ann', true)
    const { status, body } = await ask('POST', url, { cookie: await signIn('ann'), body: marks })
    expect({ status, body }).toEqual({ status: 413, body: decodeError })
  })

  test('is refused by its length alone, and as soon as it is too long where it says none', async () => {
    const { app, addUser } = await startServer()
    await addUser('ann', true)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const head = [
      'POST /v1/sign-in HTTP/1.1',
      'Host: localhost',
      'Origin: http://localhost',
      'Content-Type: application/json',
      'Connection: close',
    ]
    const send = async (lines: string[], sent: string) => {
      const socket = connect(portOf(app), '127.0.0.1')
      socket.write([...head, ...lines, '', sent].join('\r\n'))
      return (await text(socket)).slice(9, 12)
    }
    expect(await send(['Content-Length: 240000'], '')).toBe('413')
    expect(await send(['Transfer-Encoding: chunked'], `4e20\r\n${'x'.repeat(20_000)}\r\n`)).toBe('413')
  })

  test('is refused over HTTP/2, whose connection goes on', async () => {
    const { tls, ca } = certified()
    const { app, addUser } = await startServer({ tls })
    await addUser('ann', true)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { call } = connect2(portOf(app), ca)
    const headers = { 'content-type': 'application/json', origin: `https://localhost:${portOf(app)}` }
    expect((await call('/v1/sign-in', headers, marks)).status).toBe(413)
    expect((await call('/v1/sign-in', headers, JSON.stringify({ name: 'ann', password }))).status).toBe(200)
  })
})

describe('over HTTP/2', () => {
  const open = async () => {
    const { tls, ca } = certified()
    const { app, addUser, signIn } = await startServer({ tls, plugins: [streamsPlugin] })
    await addUser('ann', true)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const cookie = (await signIn('ann')).replace('session=', '__Host-session=')
    const { call } = connect2(portOf(app), ca)
    return async (path: string, headers: Record<string, string> = {}) => {
      const { status, body } = await call(path, { cookie, ...headers })
      return { status, body: JSON.parse(body.toString()) }
    }
  }
  const values = (count: number, value: string) =>
    `/v1/streams?${Array.from({ length: count }, () => `searchingValues=${value}`).join('&')}`

  test('an address and a head are as long as over HTTP/1.1 at most', async () => {
    const call = await open()
    expect(await call(values(2500, 'a'))).toEqual({ status: 414, body: decodeError })
    expect(await call('/v1/streams', { 'x-long': 'x'.repeat(20_000) })).toEqual({ status: 431, body: decodeError })
    expect((await call('/v1/streams', { 'x-long': 'x'.repeat(10_000) })).status).toBe(200)
  })

  test('there are as many values to search for as the console sends, and as long', async () => {
    const call = await open()
    expect((await call(values(20, 'a'.repeat(200)))).status).toBe(200)
    const refused = (details: object) => ({ status: 400, body: { code: 'ValidationError', details } })
    expect(await call(values(21, 'a'))).toEqual(refused({ searchingValues: 'At most 20 entries' }))
    expect(await call(values(1, 'a'.repeat(201)))).toEqual(refused({ searchingValues: 'At most 200 characters' }))
    expect(await call(values(2, 'a'.repeat(201)))).toEqual(
      refused({ 'searchingValues.0': 'At most 200 characters', 'searchingValues.1': 'At most 200 characters' }),
    )
  })
})

test.each([
  ['/v1/system/search?query=', 200, 'query'],
  ['/v1/admin/audit-logs?login=', 200, 'login'],
  ['/v1/admin/audit-logs?action=', 200, 'action'],
  ['/v1/stream/probe?url=', 4000, 'url'],
])('%s takes %i characters', async (url, most, field) => {
  const { ask, addUser, signIn } = await startServer({ plugins: [streamsPlugin] })
  await addUser('ann', true)
  const cookie = await signIn('ann')
  const tooLong = { code: 'ValidationError', details: { [field]: `At most ${most} characters` } }
  expect((await ask('GET', url + 'x'.repeat(most), { cookie })).body).not.toEqual(tooLong)
  expect((await ask('GET', url + 'x'.repeat(most + 1), { cookie })).body).toEqual(tooLong)
})
