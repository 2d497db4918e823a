import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { Annotation } from './archive.ts'
import { HealthWarning } from './health.ts'
import { LogLine, Share, StreamStatus } from './stream.ts'
import { AuditEntry, License } from './system.ts'
import { Session, Token } from './user.ts'

const at = '2026-11-21T08:00:00.000Z'
const Dated = {
  'a warning of health': { schema: HealthWarning, fields: { code: 'LICENSE_EXPIRATION' }, name: 'expiresAt' },
  'a licence': { schema: License, fields: { text: 'KEY' }, name: 'expiresAt' },
  'a session': { schema: Session, fields: { id: '1' }, name: 'lastSeenTime' },
  'a token': { schema: Token, fields: { id: '1' }, name: 'expireTime' },
  'a line of a log': { schema: LogLine, fields: { id: '1' }, name: 'time' },
  'an entry of the audit': { schema: AuditEntry, fields: { id: '1' }, name: 'time' },
  'an annotation': { schema: Annotation, fields: { time: at }, name: 'timeEnd' },
} satisfies Record<string, { schema: z.ZodMiniType; fields: object; name: string }>

const wire = (schema: z.ZodMiniType, reply: object): unknown =>
  JSON.parse(JSON.stringify(z.safeEncode(schema, z.parse(schema, reply))))

describe.each(Object.entries(Dated))('the moment of %s (docs/wire.md §1)', (_, { schema, fields, name }) => {
  test('may be missing or empty, and is not encoded then', () => {
    const absent = wire(schema, fields)
    expect(absent).toMatchObject({ success: true, data: expect.not.objectContaining({ [name]: expect.anything() }) })
    expect(wire(schema, { ...fields, [name]: '' })).toEqual(absent)
  })

  test('is decoded and encoded', () => {
    expect(z.parse(schema, { ...fields, [name]: at })).toMatchObject({ [name]: Date.parse(at) })
    expect(wire(schema, { ...fields, [name]: at })).toMatchObject({ success: true, data: { [name]: at } })
  })

  test('is refused if it is not an instant', () => {
    expect(z.safeParse(schema, { ...fields, [name]: 'soon' }).success).toBe(false)
  })
})

test('optional fields may be missing', () => {
  expect(Share.parse({ url: '/ui/stream/gate/view#token=secret' }).url).toBe('/ui/stream/gate/view#token=secret')
  expect(StreamStatus.parse({})).toEqual({ status: '' })
})
