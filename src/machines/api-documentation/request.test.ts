import { describe, expect, test } from 'vitest'
import { OpenApiDocument } from '../../api/contract/open-api.ts'
import { exampleOf, membersOf, typeOf } from './example.ts'
import { type Operation, operationsOf, searchOperations } from './operations.ts'
import { curlOf, defaultFieldsOf, missingParameters, requestOf } from './request.ts'

const now = Date.parse('2026-11-21T08:00:00.000Z')
const instant = { type: 'string', format: 'date-time' }

const operations = operationsOf(
  OpenApiDocument.parse({
    info: {},
    paths: {
      '/v1/stream/{uid}/archive/ranges': {
        get: {
          tags: ['archive'],
          summary: 'Says what is recorded',
          parameters: [
            { name: 'start_time', in: 'query', required: true, schema: instant },
            { name: 'end_time', in: 'query', required: true, schema: instant },
            { name: 'uid', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'session', in: 'cookie', schema: {} },
          ],
        },
      },
      '/v1/sign-in': {
        post: {
          tags: ['session'],
          security: [],
          requestBody: {
            content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
          },
        },
      },
      '/v1/annotations': { get: { tags: ['archive'] } },
    },
  }),
)
const [ranges, , signIn]: readonly (Operation | undefined)[] = operations

describe('calls', () => {
  test('operations of one tag stand together, path parameters come first', () => {
    expect(operations.map(({ id }) => id)).toEqual([
      'GET /v1/stream/{uid}/archive/ranges',
      'GET /v1/annotations',
      'POST /v1/sign-in',
    ])
    expect(ranges?.parameters.map(({ name }) => name)).toEqual(['uid', 'start_time', 'end_time'])
  })

  test('are searched by words in any order', () => {
    expect(searchOperations(operations, ' RECORDED  archive ').map(({ id }) => id)).toEqual([
      'GET /v1/stream/{uid}/archive/ranges',
    ])
    expect(searchOperations(operations, '')).toBe(operations)
  })

  test('start with the last hour and an example of the body', () => {
    if (ranges === undefined || signIn === undefined) throw new Error('no operations')
    expect([
      defaultFieldsOf(ranges, now),
      missingParameters(ranges, defaultFieldsOf(ranges, now)),
      defaultFieldsOf(signIn, now).body,
    ]).toEqual([
      { parameters: { start_time: '2026-11-21T07:00:00.000Z', end_time: '2026-11-21T08:00:00.000Z' }, body: '' },
      ['uid'],
      '{\n  "name": ""\n}',
    ])
  })

  test('become a curl command, quoted for a shell and without the token', () => {
    if (ranges === undefined || signIn === undefined) throw new Error('no operations')
    const request = requestOf(ranges, { parameters: { uid: "o'neil", start_time: 'a' }, body: '' }, 'secret')
    expect(curlOf(request, 'https://host/', false)).toBe(
      String.raw`curl 'https://host/v1/stream/o'\''neil/archive/ranges?start_time=a' ` +
        '\\\n  -H "Authorization: Bearer $TOKEN"',
    )
    expect(curlOf(requestOf(signIn, { parameters: {}, body: '{"name":"a"}' }, ''), 'https://host/', true)).toBe(
      `curl -X POST 'https://host/v1/sign-in' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name":"a"}'`,
    )
  })
})

describe('schemas', () => {
  test.each([
    [{ type: 'string', format: 'date-time' }, '2026-11-21T08:00:00.000Z'],
    [{ anyOf: [{ type: 'null' }, { type: 'integer', minimum: 3 }] }, 3],
    [{ enum: ['a', 'b'] }, 'a'],
    [{ const: 7 }, 7],
    [{ type: 'array', items: { type: 'boolean' } }, [false]],
    [{ type: 'array' }, []],
    [
      { type: 'object', properties: { a: { type: 'object' }, b: { default: 4 }, c: { type: 'null' } } },
      { a: {}, b: 4, c: null },
    ],
  ])('%j is shown by an example', (schema, example) => {
    expect(exampleOf(schema, now)).toEqual(example)
  })

  test.each([
    [{ type: 'string', minLength: 1, maxLength: 200 }, 'string · 1…200'],
    [{ type: 'array', items: { type: 'integer', minimum: 0, maximum: 9 } }, 'integer[] · ≥ 0 · ≤ 9'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string · null'],
    [{ type: 'string', enum: ['a', 'b'] }, 'string · "a" | "b"'],
    [{}, 'any'],
  ])('%j is summarized', (schema, words) => {
    expect(typeOf(schema)).toBe(words)
  })

  test('the properties of objects are listed, those in arrays too', () => {
    const cell = { type: 'object', properties: { x: { type: 'integer', description: 'Column' } }, required: ['x'] }
    expect(membersOf({ type: 'object', properties: { cells: { type: 'array', items: cell } } })).toEqual([
      {
        name: 'cells',
        type: 'object[]',
        description: '',
        isRequired: false,
        members: [{ name: 'x', type: 'integer', description: 'Column', isRequired: true, members: [] }],
      },
    ])
  })
})
