import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = globSync('{src,server}/**/*.{ts,tsx,css}', { cwd: root, exclude: ['**/*.test.ts', '**/*.test.tsx'] })
const linesOf = (file: string) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n') })
const sources = files.toSorted().map(linesOf)
/** Without this file, whose regular expressions have the words. */
const tools = globSync('{tests,e2e,bench,scripts}/**/*.{ts,tsx,mjs}', { cwd: root, exclude: ['tests/words.test.ts'] })
const code = [...sources.filter(({ file }) => !file.endsWith('.css')), ...tools.toSorted().map(linesOf)]
/** Without the pages that are generated from results and test names. */
const generated = ['docs/coverage.md', 'docs/figures.md']
const pages = globSync('{docs/*,*}.md', { cwd: root, exclude: generated }).toSorted().map(linesOf)

/** Words that the field has other terms for (docs/glossary.md). */
const privateWords = new Set(
  (
    'told untold tellable tell tells telling said say says saying hear hears heard room rooms roomy place places ' +
    'deeds surroundings whereabouts misfit leash astray conductor keeper lane seat metronome stage stretches landed ' +
    'mend mended mending mends ear ears deaf'
  ).split(' '),
)
/** A setting of the wire, and a column that imported lists may have. */
const wireNames = /\btellUnknownAddresses\b|^ {2}place: 'location',$/
const oddPhrases = /\b(?:told|said|tells?|whom|hears?|heard|(?:is|be) had|let go|deeds?)\b|(?<!\bin )\bplaces?\b/i

const isComment = (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line)
/** Without comments and texts; templates may have lines of SQL. */
const codeOf = (lines: readonly string[]) =>
  lines
    .map((line) => (isComment(line) ? '' : line.replace(wireNames, '')))
    .join('\n')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, (text) => text.replaceAll(/[^\n]/g, ''))
    .split('\n')
/** `isTold` is `is` and `told`. */
const wordsOf = (line: string) => line.matchAll(/[A-Z]?[a-z]+/g).map(([word]) => word.toLowerCase())

test('no line has more than 120 columns, no file more than 250 lines', () => {
  const long = sources.flatMap(({ file, lines }) => [
    ...lines.flatMap((line, index) => ([...line].length > 120 ? [`${file}:${index + 1}`] : [])),
    ...(lines.length > 251 ? [`${file}: ${lines.length - 1} lines`] : []),
  ])
  expect(sources.length).toBeGreaterThan(800)
  expect(long).toEqual([])
})

test('no name in code has a private word', () => {
  const found = code.flatMap(({ file, lines }) =>
    codeOf(lines).flatMap((line, index) =>
      wordsOf(line)
        .filter((word) => privateWords.has(word))
        .map((word) => `${file}:${index + 1} ${word}`)
        .toArray(),
    ),
  )
  expect(tools.length).toBeGreaterThan(400)
  expect(found).toEqual([])
})

test('no comment has an odd phrase', () => {
  const found = sources.flatMap(({ file, lines }) =>
    lines.flatMap((line, index) => (isComment(line) && oddPhrases.test(line) ? [`${file}:${index + 1} ${line}`] : [])),
  )
  expect(found).toEqual([])
})

test('no page has an odd phrase', () => {
  const found = pages.flatMap(({ file, lines }) =>
    lines.flatMap((line, index) =>
      oddPhrases.test(line.replaceAll(/\]\([^)]*\)/g, ']')) ? [`${file}:${index + 1} ${line}`] : [],
    ),
  )
  expect(pages.length).toBeGreaterThan(10)
  expect(found).toEqual([])
})

test('no file is named by a private word', () => {
  expect(files.filter((file) => /(?:^|[/-])(?:places?|rooms?)(?=[-./])/.test(file))).toEqual([])
})

test('no term of the glossary is defined twice', () => {
  const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8').matchAll(/^\| (?!Term |-)([^|(]+?) *[|(]/gm)
  const terms = [...rows].flatMap(([, names = '']) => names.toLowerCase().split(', '))
  expect(terms.length).toBeGreaterThan(150)
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([])
})
