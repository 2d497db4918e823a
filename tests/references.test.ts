import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folders = '{src,server,tests,e2e,scripts,bench,docs}/**/*.{ts,tsx,mjs,css,md}'
const files = [...globSync([folders, '*.{ts,md,html}'], { cwd: root })].toSorted()
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')
const linesOf = (file: string) =>
  textOf(file)
    .split('\n')
    .map((text, index) => ({ where: `${file}:${index + 1}`, text }))

/** Numbers of the sections of a page: `3` of `## 3. Routes`, `4.1` of `### 4.1 Header`. */
const sectionsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number = '']) => number)

/** As GitHub makes anchors of headings. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    textOf(page)
      .matchAll(/^#+ (.+)$/gm)
      .map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      ),
  )

const pages = new Map(['docs/behaviour.md', 'docs/wire.md'].map((page) => [page, sectionsOf(page)]))

test('no number of a section is used twice', () => {
  const twice = [...pages].map(([page, all]) => [page, all.filter((number, at) => all.indexOf(number) !== at)])
  expect(twice).toEqual([...pages.keys()].map((page) => [page, []]))
})

test('every section that a comment or a test names is there', () => {
  const references = files.flatMap((file) =>
    linesOf(file).flatMap(({ where, text }) =>
      [...text.matchAll(/(docs\/[\w-]+\.md) ((?:(?:, | and )?§[\d.]*\d)+)/g)].flatMap(([, page = '', numbers = '']) =>
        [...numbers.matchAll(/§([\d.]*\d)/g)].map(([, number = '']) => ({ where, page, number })),
      ),
    ),
  )
  expect(references.length).toBeGreaterThan(200)
  expect(references.filter(({ page, number }) => pages.get(page)?.includes(number) !== true)).toEqual([])
})

test('no page is named that is not in the repository', () => {
  const named = files.flatMap((file) =>
    linesOf(file).flatMap(({ where, text }) =>
      [...text.matchAll(/(?<![\w/.-])((?:docs\/)?[\w-]+\.md)\b/g)].map(([, page = '']) => ({ where, page })),
    ),
  )
  const known = new Set(files.flatMap((file) => [file, file.split('/').at(-1) ?? '']))
  expect(named.filter(({ page }) => !known.has(page))).toEqual([])
})

test('no issue is named: what it says stands in the documents', () => {
  const named = files.flatMap((file) => linesOf(file).filter(({ text }) => /\bissue \d/.test(text)))
  expect(named.map(({ where }) => where)).toEqual([])
})

test('every link of the documents leads somewhere', () => {
  const links = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      linesOf(file).flatMap(({ where, text }) =>
        [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, to = '', anchor]) => ({
          where,
          to: to === '' ? file : join(dirname(file), to),
          anchor,
        })),
      ),
    )
  const present = new Set(globSync('{docs,src,server,tests,e2e,bench,scripts}/**/*', { cwd: root }))
  const dangling = links.filter(
    ({ to, anchor }) =>
      !(present.has(to) || files.includes(to) || to === 'LICENSE') ||
      (anchor !== undefined && to.endsWith('.md') && !anchorsOf(to).has(anchor)),
  )
  expect(dangling).toEqual([])
})

/** What a run or a release writes, and a language that the reader adds. */
const later = new Set(['bench/results.json', 'tests/fixtures/releases/NAME.json', 'src/i18n/locales/de.po'])
const fileName = /(?<![\w/.-])(?:src|server|scripts|e2e|tests|bench|docs)\/[\w./-]+\.(?:tsx?|mjs|css|md|json|po|txt)\b/g

test('every file that a comment or a document names is there', () => {
  const named = files.flatMap((file) =>
    linesOf(file)
      .filter(({ text }) => file.endsWith('.md') || /^\s*(?:\/\/|\/?\*)/.test(text))
      .flatMap(({ where, text }) => [...text.matchAll(fileName)].map(([name]) => ({ where, name }))),
  )
  const present = new Set(globSync('{docs,src,server,tests,e2e,bench,scripts}/**/*.*', { cwd: root }))
  expect(named.length).toBeGreaterThan(300)
  expect(named.filter(({ name }) => !present.has(name) && !later.has(name))).toEqual([])
})
