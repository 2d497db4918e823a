import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { streamsPlugin } from '../../../server/streams/plugin.ts'
import { summaries } from '../../../server/http/summaries.ts'
import { startServer } from '../fixtures/harness.ts'
import { version } from '../../../server/version.ts'

test('the document of the calls is made from the schemas, and shows what travels', async () => {
  const { ask, addUser, signIn } = await startServer()
  await addUser('ann', true)
  await addUser('bob')
  const { status, body } = await ask('GET', '/v1/openapi.json', { cookie: await signIn('ann') })
  expect(status).toBe(200)
  expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Sightline', version } })
  expect(Reflect.get(Object(body), 'components')).toMatchObject({
    securitySchemes: { session: { in: 'cookie', name: 'session', description: 'On HTTPS `__Host-session`.' } },
  })
  const paths: unknown = Reflect.get(Object(body), 'paths')
  expect(Object.keys(Object(paths)).filter((path) => !path.startsWith('/v1/'))).toEqual([])
  const token: unknown = Reflect.get(Object(paths), '/v1/token')
  const instant = { type: 'string', format: 'date-time', pattern: expect.any(String) }
  const expireTime = { anyOf: [instant, { type: 'null' }] }
  expect(token).toEqual({
    post: {
      tags: ['tokens'],
      summary: 'Creates a token; its secret is shown only once',
      description: 'For signed-in users. Not by an API token.',
      security: [{ session: [] }],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { name: { type: 'string', minLength: 1, maxLength: 200 }, expireTime },
              required: ['name'],
            },
          },
        },
      },
      responses: {
        200: {
          description: 'Default Response',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  id: { type: 'string' },
                  name: { default: '', type: 'string' },
                  expireTime,
                  token: { type: 'string' },
                },
                required: ['id', 'token'],
              },
            },
          },
        },
      },
    },
  })
  expect((await ask('GET', '/v1/openapi.json', { cookie: await signIn('bob') })).status).toBe(403)
})

test('an independent validator finds nothing wrong with it, and each call is there once', async () => {
  const { app } = await startServer({ plugins: [streamsPlugin] })
  const document = z.parse(
    z.looseObject({ paths: z.record(z.string(), z.looseObject({})) }),
    JSON.parse(JSON.stringify(app.swagger())),
  )
  const { valid, errors } = await new Validator().validate(document)
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  expect(document.paths['/v1/sign-in']?.['post']).toMatchObject({ security: [] })
  const byUser = [{ session: [] }, { token: [] }]
  expect(document.paths['/v1/streams']?.['get']).toMatchObject({ security: byUser })
  for (const path of ['live.m3u8', 'download'])
    expect(document.paths[`/v1/stream/{uid}/archive/${path}`]?.['get']).toMatchObject({
      security: [...byUser, { share: [] }],
    })
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining([
      '/v1/streams',
      '/v1/stream/{uid}/archive/ranges',
      '/v1/mosaic/{id}',
      '/v1/admin/configuration',
    ]),
  )
})

test('every call has a summary, and no summary is left over', async () => {
  const { app } = await startServer({ plugins: [streamsPlugin] })
  const { paths } = z.parse(
    z.looseObject({
      paths: z.record(z.string(), z.record(z.string(), z.looseObject({ summary: z.optional(z.string()) }))),
    }),
    app.swagger(),
  )
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) => [`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, summary] as const,
    ),
  )
  expect(Object.fromEntries(calls)).toEqual(summaries)
})
