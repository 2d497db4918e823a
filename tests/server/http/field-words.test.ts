import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fieldWords } from '../../../server/http/field-words.ts'
import { activate, i18n } from '../../../src/i18n/i18n.ts'
import { serverText } from '../../../src/views/ui/server-words.ts'

const translation = (words: string): string | undefined => {
  const known = serverText(words)
  return known === undefined ? undefined : i18n._(known)
}

const wordsOf = (schema: z.ZodMiniType, value: unknown): string | undefined => {
  const { success, error } = z.safeParse(schema, value, { error: fieldWords })
  return success ? undefined : error.issues[0]?.message
}

describe('what the server says of a field', () => {
  test.each([
    [z.string(), undefined, 'Required', 'Fill this in'],
    [z.string(), 1, 'Must be text', 'Enter text here'],
    [z.string().check(z.minLength(1)), '', 'Required', 'Fill this in'],
    [z.string().check(z.minLength(8)), 'x', 'At least 8 characters', 'At least 8 characters'],
    [z.string().check(z.maxLength(1)), 'xx', 'At most 1 characters', 'At most 1 character'],
    [z.string().check(z.regex(/x/)), 'y', 'Not in the right form', "This value can't be used here"],
    [z.email(), 'y', 'Must be an e-mail address', "This isn't an email address"],
    [z.number(), 'x', 'Must be a number', 'Enter a number'],
    [z.int(), 1.5, 'Must be a whole number', 'Enter a whole number'],
    [z.int().check(z.minimum(-1)), -2, 'At least -1', 'At least -1'],
    [z.int().check(z.maximum(65_535)), 70_000, 'At most 65535', 'At most 65535'],
    [z.boolean(), 'x', 'Must be true or false', 'Enter true or false'],
    [z.array(z.string()).check(z.minLength(1)), [], 'At least 1 entries', 'At least 1 entry'],
    [z.array(z.string()), 'x', 'Must be a list', 'Enter a list'],
    [z.object({}), 'x', 'Must be an object', 'Enter a group of settings'],
    [z.enum(['tls', 'none']), 'x', 'One of: tls, none', 'Choose one of: tls, none'],
  ])('%# reads "%s" in both', async (schema, value, words, shown) => {
    await activate('en')
    expect(wordsOf(schema, value)).toBe(words)
    expect(translation(words)).toBe(shown)
  })

  test.each([
    'server/configuration/values.ts',
    'server/configuration/configuration.ts',
    'server/cluster/placement-routes.ts',
    'server/streams/stream-body.ts',
    'server/users/account-store.ts',
    'server/users/profile.ts',
    'server/access/permissions.ts',
    'server/groups/group-store.ts',
    'server/groups/group-permissions.ts',
    'src/api/contract/user.ts',
    'server/mosaics/mosaics.ts',
    'server/plans/plan-store.ts',
    'server/alerts/routes.ts',
    'server/alerts/destinations.ts',
  ])('what %s says has words of the console', (path) => {
    const literals = [...readFileSync(path, 'utf8').matchAll(/'((?:Must|Unknown|Enter|This) [^']+)'/g)].map(
      ([, words = '']) => words,
    )
    const own = literals.filter((words) => words !== 'This user is managed elsewhere')
    expect(own.filter((words) => serverText(words) === undefined)).toEqual([])
    expect(own).not.toEqual([])
  })

  test.each([
    'server/exports/routes.ts',
    'server/archive/retention/lock-routes.ts',
    'server/archive/events/event-routes.ts',
    'server/tunnel/routes.ts',
  ])('what %s refuses has words of the console', (path) => {
    const refused = [...readFileSync(path, 'utf8').matchAll(/validationError\(\{ [^:]+: '([^']+)' \}\)/g)].map(
      ([, words = '']) => words,
    )
    expect(refused.filter((words) => serverText(words) === undefined)).toEqual([])
    expect(refused).not.toEqual([])
  })
})
