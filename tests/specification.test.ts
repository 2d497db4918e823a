import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { coverageFile, coveragePage, problems, titlesOfText } from '../scripts/specification.ts'

test('every row of the specification has tests that are there, and what the code has has a row', () => {
  expect(problems()).toEqual([])
})

test('docs/coverage.md is as `npm run coverage:spec` writes it', () => {
  expect(readFileSync(coverageFile, 'utf8')).toBe(coveragePage())
})

test('titles are read with their groups, tables and templates too, but not those that are skipped', () => {
  const file = `
    test('plain', done)
    describe('a group', () => {
      it('inside', done)
      describe.each(['a', 'b'])('deeper', () => {
        test.each([1, 2])('of each %s', done)
      })
      for (const width of widths) test(\`on \${width} screens\`, done)
    })
    test.describe('of the browser', () => {
      test("quoted 'so'", { timeout: 10 }, async ({ page }) => page)
    })
    test.skip('left out', done)
    test.todo('to come')
  `
  expect(titlesOfText(file)).toEqual([
    'plain',
    'a group › inside',
    'a group › deeper › of each %s',
    'a group › on … screens',
    "of the browser › quoted 'so'",
  ])
})
