import { compileFunction } from 'node:vm'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import * as z from 'zod/mini'
import type { $ZodTypes } from 'zod/v4/core'
import { expect, test } from 'vitest'
import { decoding, readersOf } from '../scripts/readers-plugin.ts'
import { decode, type Schema } from '../src/api/decode.ts'
import * as runtime from '../src/api/readers.ts'
import * as wire from '../src/api/contract/wire.ts'

const folder = join(import.meta.dirname, '../src/api/contract')
const files = readdirSync(folder).filter((file) => !file.includes('.test.'))

const times = fc.oneof(
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }).map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-02-29T00:00:00Z',
    '2024-02-29t00:00:00.5z',
    '2026-01-01T00:00:00 03:00',
    '2026-13-01T00:00:00Z',
    '2026-01-01',
    '0000-01-01T00:00:00+01:00',
    '',
  ),
)
const junk = fc.jsonValue({ maxDepth: 1 })

const isKnown = (schema: z.core.$ZodType): schema is $ZodTypes => 'def' in schema._zod

/** Values that mostly fit a schema. */
function near(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const often = (fitting: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 19, arbitrary: fitting }, { weight: 1, arbitrary: junk })
  if (schema === wire.instant || schema === wire.optionalInstant) return often(times)
  if (!isKnown(schema)) return junk
  const { def } = schema._zod
  switch (def.type) {
    case 'string':
      return often(fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('2026-02-28', '2026-02-30')))
    case 'number':
      return often(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, 1, 0.5, -1)))
    case 'boolean':
      return often(fc.boolean())
    case 'literal':
      return often(fc.constantFrom(...def.values))
    case 'enum':
      return often(fc.constantFrom(...Object.values(def.entries)))
    case 'array':
      return often(fc.array(near(def.element), { maxLength: 2 }))
    case 'record':
      return often(fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), near(def.valueType), { maxKeys: 2 }))
    case 'optional':
    case 'catch':
    case 'nullable':
    case 'default':
    case 'prefault':
      return fc.oneof(
        { weight: 8, arbitrary: near(def.innerType) },
        { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
      )
    case 'union':
      return fc.oneof(...def.options.map(near))
    case 'object':
      return often(
        fc.record(Object.fromEntries(Object.entries(def.shape).map(([key, member]) => [key, near(member)])), {
          requiredKeys: Object.keys(def.shape).filter((_key, index) => index % 5 > 0),
        }),
      )
    default:
      return junk
  }
}

const isSchema = (value: unknown): value is Schema<unknown> =>
  typeof value === 'object' && value !== null && '~standard' in value

/** What a schema makes of a value, or where it doesn't fit; the words for that differ. */
function outcomeOf(schema: Schema<unknown>, value: unknown): unknown {
  const decoded = decode(schema, value)
  return decoded.ok ? decoded.value : decoded.problems.map((problem) => problem.split(':')[0])
}

test('the readers that a build makes decode as the schemas do (scripts/readers-plugin.ts)', async () => {
  const names: string[] = []
  for (const file of files) {
    const exported: Record<string, unknown> = await import(join(folder, file))
    const { constants, readers } = readersOf(exported, wire)
    const result = `return { ${[...readers].map(([name, reader]) => `${name}: schema(${reader})`).join(', ')} }`
    const made: unknown = compileFunction(
      [...constants, result].join('\n'),
      Object.keys(runtime),
    )(...Object.values(runtime))
    for (const [name, reader] of Object.entries({ ...(typeof made === 'object' ? made : {}) })) {
      const schema = exported[name]
      if (!isSchema(schema) || !(schema instanceof z.core.$ZodType) || !isSchema(reader)) throw new Error(name)
      names.push(name)
      fc.assert(
        fc.property(near(schema), (given) => {
          const value: unknown = given === undefined ? undefined : JSON.parse(JSON.stringify(given))
          expect(outcomeOf(reader, value), JSON.stringify(value)).toEqual(outcomeOf(schema, value))
        }),
        { numRuns: 40 },
      )
    }
  }
  expect(names).toEqual(expect.arrayContaining(['Settings', 'User', 'Health', 'ApiErrorBody', 'StreamsPage']))
})

test("no file that gets readers gives a schema of the contract to zod's own functions", () => {
  const root = join(import.meta.dirname, '..')
  const files = globSync('src/{api,wiring}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => decoding.test(`/${file}`) && !/\.test\.|src\/api\/check\.ts/.test(file),
  )
  const mixed = files.filter((file) => {
    const code = readFileSync(join(root, file), 'utf8')
    return /^import \* as z from/m.test(code) && /^import (?!type).*contract\//m.test(code)
  })
  expect(files.length).toBeGreaterThan(80)
  expect(mixed).toEqual([])
  const own = ['src/api/export-file/verify-export.ts', 'src/api/browser/bookmarks.ts']
  expect(files.filter((file) => own.includes(file))).toEqual([])
})
