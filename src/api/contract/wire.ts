import * as z from 'zod/mini'
import { epochMsOf, normalizedInstant } from './instants.ts'

/**
 * The building blocks of all schemas (docs/wire.md §1). The server encodes and the console decodes with the same
 * schema. Absent text is '', an absent flag false, an absent list []; null means absent (the console removes null
 * members before decoding).
 */

/**
 * Epoch milliseconds in memory; RFC 3339 in UTC with milliseconds on the wire. Offsets are accepted. The result is
 * limited to the years 0 to 9999.
 */
export const instant = z.codec(
  z.string().check(z.overwrite(normalizedInstant), z.iso.datetime({ offset: true })),
  z.number(),
  {
    decode: epochMsOf,
    encode: (epochMs) => new Date(epochMs).toISOString(),
  },
)

export const day = z.iso.date()

const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10)

/**
 * An instant of an answer that may be missing; empty text means absent, like null (docs/wire.md §1). Other servers may
 * give only the day, for example of a licence: then its first moment in UTC.
 */
export const optionalInstant = z.union([
  z.optional(instant),
  z.codec(z.literal(''), z.undefined(), { decode: () => undefined, encode: () => '' as const }),
  z.codec(day, z.number(), { decode: (text) => Date.parse(text), encode: (epochMs) => dayOf(epochMs) }),
])

export const text = z._default(z.string(), '')
export const flag = z._default(z.boolean(), false)

export const numberOr = (fallback: number) => z._default(z.number(), fallback)
/** `orElse(schema, fallback)`: the fallback in place of a value that doesn't fit. */
export const orElse = z.catch

/** A limit, where zero or less makes no sense and becomes the fallback too. */
export const positiveOr = (fallback: number) => z._default(orElse(z.number().check(z.gt(0)), fallback), fallback)

export const list = <T extends z.ZodMiniType>(item: T) => z._default(z.array(item), [])

/** An optional field beyond the specification: other servers may use its name for a value that doesn't fit. */
export const extension = <T extends z.ZodMiniType>(value: T) => orElse(z.optional(value), undefined)
export const textExtension = orElse(text, '')

/** Text of limited length, for requests; texts in answers have no limit. */
export const atMost = (characters: number) => z.string().check(z.maxLength(characters))
/** A name or an id, in requests. */
export const key = atMost(200)
/** Longer than any licence; the server answers IncorrectLicense to an invalid one. */
export const licenseText = atMost(60_000)

export const queryFlag = z.stringbool()

export const queryTexts = (entries: number, characters: number) =>
  z.codec(z.union([atMost(characters), z.array(atMost(characters)).check(z.maxLength(entries))]), z.array(z.string()), {
    decode: (value) => (typeof value === 'string' ? [value] : value),
    encode: (value) => value,
  })

export const queryInteger = z.codec(z.string().check(z.regex(/^-?\d{1,9}$/)), z.number(), {
  decode: Number,
  encode: String,
})

export const items = <T extends z.ZodMiniType>(item: T) => z.object({ items: list(item) })

export const page = <T extends z.ZodMiniType>(item: T) =>
  z.object({ items: list(item), page: numberOr(1), pageSize: numberOr(50), total: numberOr(0) })

/** The body of an answer without data: `{}` (or 204). */
export const nothing = z.object({})
