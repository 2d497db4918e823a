import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/wire.md'), 'utf8')
/** What stands in the code spans of each paragraph. */
const spans = page.split('\n\n').flatMap((text) => text.split('`').filter((_part, index) => index % 2 === 1))
const words = new Set(spans.flatMap((text) => text.match(/\w+/g) ?? []))

/** Objects of WebAuthn and OpenAPI, which their standards define. */
const ofStandards = /^(?:OpenApi|Passkey(?:Creation|Request)Options|NewCredential|Assertion)/

/** The keys of an object, also within lists and defaults. */
function keysIn(schema: unknown): string[] {
  if (schema instanceof z.ZodMiniObject)
    return Object.entries(schema.shape).flatMap(([key, value]) => [key, ...keysIn(value)])
  if (schema instanceof z.ZodMiniArray) return keysIn(schema.def.element)
  if (
    schema instanceof z.ZodMiniDefault ||
    schema instanceof z.ZodMiniPrefault ||
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniCatch
  )
    return keysIn(schema.def.innerType)
  return []
}

test('every key of a schema stands in docs/wire.md', async () => {
  const files = globSync('src/api/contract/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const modules = await Promise.all(
    files.map(async (file): Promise<object> => import(pathToFileURL(join(root, file)).href)),
  )
  const schemas = modules.flatMap((exports) => Object.entries(exports)).filter(([name]) => !ofStandards.test(name))
  const keys = schemas.flatMap(([name, schema]) => keysIn(schema).map((key) => ({ name, key })))
  expect(keys.length).toBeGreaterThan(400)
  expect(keys.filter(({ key }) => !words.has(key))).toEqual([])
})

test('every warning of health is listed', () => {
  const listed = [...page.matchAll(/^\| ([A-Z_]+)(?: \*)? \|/gm)].map(([, code]) => code)
  const machine = readFileSync(join(root, 'src/machines/health/health.machine.ts'), 'utf8')
  const [, set = ''] = /const warningCodes[^[]*\[([^\]]*)\]/.exec(machine) ?? []
  const shown = [...set.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code)
  expect(shown.length).toBeGreaterThan(15)
  expect([...shown, 'CLUSTER_NODE_DRAINED'].filter((code) => !listed.includes(code))).toEqual([])
})
