import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { paths } from '../tests/specification/screens.ts'
import { banners, catalogue, ownBanners, ownErrors, ownSuccesses, successes } from '../tests/specification/messages.ts'
import { specification } from '../tests/specification/index.ts'
import { routeNames, routes } from '../src/machines/app/routes.ts'
import { drainedNode } from '../src/machines/health/health.machine.ts'

/** Checks the rows of the specification against the tests and the code, and writes docs/coverage.md. */

const root = join(import.meta.dirname, '..')
export const coverageFile = join(root, 'docs/coverage.md')

type Node = { readonly type: string }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string'
const member = (node: unknown, ...names: string[]): unknown =>
  names.reduce(
    (one: unknown, name) => (typeof one === 'object' && one !== null ? Reflect.get(one, name) : undefined),
    node,
  )

const parsed = (file: string): unknown =>
  parseAst(readFileSync(join(root, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' })

/** A node and all its descendants. */
function* below(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* below(one)
  else if (isNode(value)) {
    yield value
    for (const one of Object.values(value)) yield* below(one)
  }
}

/** The text of a literal or a template, with `…` for expressions. */
function textOf(node: unknown): string | null {
  const value = member(node, 'value')
  if (member(node, 'type') === 'Literal') return typeof value === 'string' ? value : null
  const parts: unknown = member(node, 'quasis')
  return Array.isArray(parts) ? parts.map((part) => String(member(part, 'value', 'cooked'))).join('…') : null
}

/** The name of a called function: `test` for `test(…)` and `test.each(…)(…)`, none for `test.skip(…)`. */
function calledAs(callee: unknown): string {
  if (member(callee, 'type') === 'Identifier') return String(member(callee, 'name'))
  if (member(callee, 'type') === 'CallExpression') return calledAs(member(callee, 'callee'))
  const method = String(member(callee, 'property', 'name'))
  return method === 'each' || method === 'describe'
    ? method === 'each'
      ? calledAs(member(callee, 'object'))
      : method
    : ''
}

/** The titles of the tests in a parsed file, each with the titles of its groups. */
function titlesIn(file: unknown): string[] {
  const titles: string[] = []
  const visit = (value: unknown, groups: readonly string[]): void => {
    if (Array.isArray(value)) return value.forEach((one) => visit(one, groups))
    if (!isNode(value)) return
    const name = value.type === 'CallExpression' ? calledAs(member(value, 'callee')) : ''
    const title = textOf(member(value, 'arguments', '0'))
    if ((name === 'test' || name === 'it') && title !== null) titles.push([...groups, title].join(' › '))
    const inside = name === 'describe' && title !== null ? [...groups, title] : groups
    for (const one of Object.values(value)) visit(one, inside)
  }
  visit(file, [])
  return titles
}

export const titlesOfText = (text: string): string[] => titlesIn(parseAst(text, { lang: 'tsx' }))

/** The keys of an object that a file declares. */
function keysOf(file: string, variable: string): string[] {
  const declared = [...below(parsed(file))].find(
    (node) => node.type === 'VariableDeclarator' && member(node, 'id', 'name') === variable,
  )
  const properties: unknown = member(declared, 'init', 'properties')
  if (!Array.isArray(properties)) throw new Error(`${file} declares no object ${variable}`)
  return properties.map((property) => String(member(property, 'key', 'name') ?? member(property, 'key', 'value')))
}

/** The cases of a switch in a file. */
const casesOf = (file: string): string[] =>
  [...below(parsed(file))]
    .filter(({ type }) => type === 'SwitchCase')
    .flatMap((node) => {
      const test: unknown = member(node, 'test')
      return test === null || test === undefined ? [] : [textOf(test) ?? drainedNode]
    })

const known = new Map<string, readonly string[]>()
const testsOf = (file: string) => {
  const titles = known.get(file) ?? (existsSync(join(root, file)) ? titlesIn(parsed(file)) : [])
  known.set(file, titles)
  return titles
}

function wrongProof(file: string, title: string): string | null {
  if (!existsSync(join(root, file))) return `there is no ${file}`
  const found = testsOf(file).filter((one) => one === title || one.endsWith(` › ${title}`))
  if (found.length === 1) return null
  return found.length === 0 ? `${file} has no test '${title}'` : `${file} has ${found.length} tests '${title}'`
}

const lacking = (what: string, inCode: readonly string[], inRows: readonly string[]) => [
  ...inCode.filter((one) => !inRows.includes(one)).map((one) => `${what} ${one} has no row`),
  ...inRows.filter((one) => !inCode.includes(one)).map((one) => `${what} ${one} is in no code`),
]

/** The faults of rows: without a test, with a missing test, or different from the code. */
export function problems(): string[] {
  const rows = specification.flatMap(({ title, rows: own }) => own.map((row) => ({ ...row, section: title })))
  return [
    ...rows
      .filter(({ proofs }) => proofs.length === 0)
      .map(({ section, claim }) => `${section}: nothing proves '${claim}'`),
    ...rows.flatMap(({ section, claim, proofs }) =>
      proofs
        .flatMap(([file, title]) => wrongProof(file, title) ?? [])
        .map((wrong) => `${section}: '${claim}': ${wrong}`),
    ),
    ...lacking(
      'the route',
      routeNames.map((name) => routes[name].path),
      paths,
    ),
    ...lacking('the error', keysOf('src/i18n/errors.ts', 'messages'), [
      ...new Set([...Object.keys(catalogue), ...Object.keys(ownErrors)]),
    ]),
    ...lacking('the success', keysOf('src/i18n/successes.ts', 'messages'), [
      ...Object.keys(successes),
      ...Object.keys(ownSuccesses),
    ]),
    ...lacking('the banner', casesOf('src/views/shell/Banner.tsx'), [...banners, ...Object.keys(ownBanners)]),
  ]
}

const escaped = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

/** The page: each row with its tests. */
export function coveragePage(): string {
  const count = specification.reduce((sum, { rows }) => sum + rows.length, 0)
  const files = new Set(specification.flatMap(({ rows }) => rows.flatMap(({ proofs }) => proofs.map(([file]) => file))))
  const sections = specification.map(({ title, rows }) => {
    const lines = rows.map(
      ({ claim, proofs }) =>
        `| ${escaped(claim)} | ${proofs.map(([file, name]) => `[${escaped(name)}](../${file})`).join('<br>')} |`,
    )
    return `## ${title}\n\n| What is so | The test that proves it |\n|---|---|\n${lines.join('\n')}\n`
  })
  return [
    '# What proves the behaviour',
    '',
    `${count} rows of [behaviour.md](behaviour.md) and [wire.md](wire.md), each with the tests that would fail if it weren't so, in ${files.size} files. \`npm run coverage:spec\``,
    'writes this page from `tests/specification/`, and fails on a row without a test, on a test that is not there, and on a route,',
    'a message or a banner of the code that has no row. `%s` in a title stands for each row of its table.',
    '',
    ...sections,
  ].join('\n')
}
