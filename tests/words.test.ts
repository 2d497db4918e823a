import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = globSync('{src,server}/**/*.{ts,tsx,css}', { cwd: root, exclude: ['**/*.test.ts', '**/*.test.tsx'] })
const sources = files.toSorted().map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n') }))

/** Words that the field has other terms for (docs/glossary.md). */
const privateWords = new Set(
  (
    'told untold tellable hear heard deeds surroundings whereabouts misfit leash astray ' +
    'conductor keeper lane seat metronome stage stretches landed mend mended mending mends'
  ).split(' '),
)

const isComment = (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line)
/** `isTold` is `is` and `told`. */
const wordsOf = (line: string) =>
  line
    .replaceAll(/'(?:[^'\\]|\\.)*'|`[^`]*`/g, '')
    .matchAll(/[A-Z]?[a-z]+/g)
    .map(([word]) => word.toLowerCase())

test('no line has more than 120 columns, no file more than 250 lines', () => {
  const long = sources.flatMap(({ file, lines }) => [
    ...lines.flatMap((line, index) => ([...line].length > 120 ? [`${file}:${index + 1}`] : [])),
    ...(lines.length > 251 ? [`${file}: ${lines.length - 1} lines`] : []),
  ])
  expect(sources.length).toBeGreaterThan(800)
  expect(long).toEqual([])
})

test('no name in code has a private word', () => {
  const found = sources.flatMap(({ file, lines }) =>
    lines.flatMap((line, index) => {
      if (file.endsWith('.css') || isComment(line)) return []
      return wordsOf(line)
        .filter((word) => privateWords.has(word))
        .map((word) => `${file}:${index + 1} ${word}`)
        .toArray()
    }),
  )
  expect(found).toEqual([])
})
