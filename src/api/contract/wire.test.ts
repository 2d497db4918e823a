import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { Annotation, ArchiveRanges, ArchiveStats } from './archive.ts'
import { HealthWarning } from './health.ts'
import { LogLine, Share, Stream, StreamStatus } from './stream.ts'
import { AuditEntry, License } from './system.ts'
import { Session, Token } from './user.ts'

const at = '2026-11-21T08:00:00.000Z'
/** Schemas with an optional instant: the fields that they need, and the name of the instant. */
const dated = {
  'a warning of health': { schema: HealthWarning, fields: { code: 'LICENSE_EXPIRATION' }, name: 'expiresAt' },
  'a licence': { schema: License, fields: { text: 'KEY' }, name: 'expiresAt' },
  'a session': { schema: Session, fields: { id: '1' }, name: 'lastSeenTime' },
  'a token': { schema: Token, fields: { id: '1' }, name: 'expireTime' },
  'a line of a log': { schema: LogLine, fields: { id: '1' }, name: 'time' },
  'an entry of the audit': { schema: AuditEntry, fields: { id: '1' }, name: 'time' },
  'an annotation': { schema: Annotation, fields: { time: at }, name: 'timeEnd' },
} satisfies Record<string, { schema: z.ZodMiniType; fields: object; name: string }>

/** What a schema encodes after decoding. */
const encoded = (schema: z.ZodMiniType, reply: object): unknown =>
  JSON.parse(JSON.stringify(z.safeEncode(schema, z.parse(schema, reply))))

describe.each(Object.entries(dated))('the moment of %s (docs/wire.md §1)', (_, { schema, fields, name }) => {
  test('may be missing or empty, and is not encoded then', () => {
    const absent = encoded(schema, fields)
    expect(absent).toMatchObject({ success: true, data: expect.not.objectContaining({ [name]: expect.anything() }) })
    expect(encoded(schema, { ...fields, [name]: '' })).toEqual(absent)
  })

  test('is decoded and encoded', () => {
    expect(z.parse(schema, { ...fields, [name]: at })).toMatchObject({ [name]: Date.parse(at) })
    expect(encoded(schema, { ...fields, [name]: at })).toMatchObject({ success: true, data: { [name]: at } })
  })

  test('may be a day of another server', () => {
    const decoded = z.parse(schema, { ...fields, [name]: '2026-11-21' })
    expect(decoded).toMatchObject({ [name]: Date.parse('2026-11-21T00:00:00Z') })
  })

  test('is refused if it is not an instant', () => {
    expect(z.safeParse(schema, { ...fields, [name]: 'soon' }).success).toBe(false)
  })
})

test('optional fields may be missing', () => {
  expect(Share.parse({ url: '/ui/stream/gate/view#token=secret' }).url).toBe('/ui/stream/gate/view#token=secret')
  expect(StreamStatus.parse({})).toEqual({ status: '' })
})

test.each([{}, { startTime: '', endTime: '' }, { startTime: at }])(
  'a period without both ends, %o, is none',
  (period) => {
    expect([ArchiveStats.parse({ period }).period, ArchiveRanges.parse({ period }).period]).toEqual([
      undefined,
      undefined,
    ])
  },
)

test('a period is decoded and encoded', () => {
  const period = { startTime: at, endTime: at }
  expect(ArchiveStats.parse({ period }).period).toEqual({ startTime: Date.parse(at), endTime: Date.parse(at) })
  expect(encoded(ArchiveStats, { period })).toMatchObject({ success: true, data: { period } })
  expect(z.encode(ArchiveStats, { period: null })).toEqual({ period: null })
})

test('fields of another server with the names of ours are ignored', () => {
  const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))
  const ofStream = { tracks: 2, renditions: 'main', video: 'h264', onvif: true, ptz: true }
  const ofAnnotation = { label: 7, score: 'high', box: [1, 2], source: {} }
  const ofWarning = { donePercent: '7', volumes: {}, nodes: 'north' }
  expect(Stream.parse({ uid: 'gate', ...ofStream })).toMatchObject(none(Object.keys(ofStream)))
  expect(Annotation.parse({ time: at, ...ofAnnotation })).toMatchObject(none(Object.keys(ofAnnotation)))
  expect(HealthWarning.parse({ code: 'X', ...ofWarning })).toMatchObject(none(Object.keys(ofWarning)))
})
