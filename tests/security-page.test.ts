import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('every file that docs/security.md calls as a witness is there', () => {
  const page = readFileSync('docs/security.md', 'utf8')
  const linked = [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => join('docs', path))
  const named = [...page.matchAll(/`((?:src|e2e|bench|scripts|server)\/[^`]*)`/g)].map(([, path = '']) => path)
  expect(linked.length).toBeGreaterThan(40)
  expect([...linked, ...named].filter((path) => !existsSync(path))).toEqual([])
})
