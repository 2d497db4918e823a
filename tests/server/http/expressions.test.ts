import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor, type ESTree } from 'vite'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { beforeSecret, secretNames } from '../../../server/http/log.ts'
import { createCounter, kindsOf, parse, sampleOf, type Expression } from './expression-steps.ts'

const root = join(import.meta.dirname, '../../..')

/** What expressions that are put together are made of. */
const known: Readonly<Record<string, string>> = { beforeSecret, secretNames, lineLength: '64' }

/**
 * Expressions of an administrator's own: what they run on is bounded where they run (server/tunnel/tunnel.ts), or it is
 * nothing (values.ts).
 */
const administrators = new Set([
  "server/configuration/values.ts: new RegExp(text, 'u')",
  "server/tunnel/tunnel.ts: new RegExp(urlPattern, 'u')",
])

type Found = Expression & { site: string }

const builtOf = (template: ESTree.TemplateLiteral): string =>
  template.quasis
    .map(({ value }, index) => {
      const name = template.expressions[index]
      return `${value.cooked ?? ''}${name?.type === 'Identifier' ? (known[name.name] ?? `(${name.name} is not known)`) : ''}`
    })
    .join('')

const expressionsOf = (file: string): Found[] => {
  const source = readFileSync(join(root, file), 'utf8')
  const found: Found[] = []
  new Visitor({
    Literal: (node) => {
      if ('regex' in node)
        found.push({
          site: `${file}: ${source.slice(node.start, node.end)}`,
          source: node.regex.pattern,
          flags: node.regex.flags,
        })
    },
    NewExpression: ({ callee, arguments: [pattern, flags], start, end }) => {
      const site = `${file}: ${source.slice(start, end)}`
      if (callee.type !== 'Identifier' || callee.name !== 'RegExp' || administrators.has(site)) return
      const text = pattern?.type === 'TemplateLiteral' ? builtOf(pattern) : '(not read)'
      found.push({ site, source: text, flags: flags?.type === 'Literal' ? String(flags.value) : '' })
    },
  }).visit(parseSync(file, source).program)
  return found
}

const ofLibrary = [
  z.regexes.html5Email,
  z.iso.date()._zod.def.pattern,
  z.iso.datetime({ offset: true })._zod.def.pattern,
]

const expressions: readonly Found[] = [
  ...globSync(['server/**/*.ts', 'src/api/contract/**/*.ts'], { cwd: root }).toSorted().flatMap(expressionsOf),
  ...ofLibrary.flatMap((each) =>
    each === undefined ? [] : [{ site: `zod: ${String(each)}`, source: each.source, flags: each.flags }],
  ),
]

/** The same numbers each time. */
const numbers = (): (() => number) => {
  let state = 7
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

type Input = { before: string; unit: string; after: string }

const textOf = ({ before, unit, after }: Input, length: number): string =>
  before + unit.repeat(Math.ceil(length / unit.length)) + after

/**
 * Texts made of what the expression itself is made of, over and over: each kind of character that it distinguishes,
 * each pair of them, and what it finds, whole and its beginnings; alone, or behind a beginning of what it finds.
 */
const inputsFor = (expression: Expression): Input[] => {
  const random = numbers()
  const tree = parse(expression)
  const kinds = kindsOf(tree)
  const samples = Array.from({ length: 6 }, () => sampleOf(tree, random) || 'a')
  const beginnings = samples.flatMap((sample) => [
    sample,
    ...[1, 2, 3, 4, 5, 6, 8, 10].map((end) => sample.slice(0, end)),
  ])
  const units = new Set([...kinds, ...kinds.flatMap((one) => kinds.map((other) => one + other)), ...beginnings])
  const [sample = 'a'] = samples
  const befores = ['', sample.slice(0, Math.ceil(random() * sample.length))]
  return [...units].flatMap((unit) => befores.flatMap((before) => ['', '\0'].map((after) => ({ before, unit, after }))))
}

const length = 300
/** More than so many in a text of twice `length`, and it isn't linear. */
const most = 400 * 2 * length

/** A text on which it takes more than its share of steps where that is twice as long. */
const slowOn = (expression: Expression): Input | undefined => {
  const count = createCounter(expression)
  return inputsFor(expression).find((input) => {
    const [once, twice] = [count(textOf(input, length), most), count(textOf(input, 2 * length), most)]
    return twice >= most || twice > 2.5 * once + 4 * length
  })
}

/**
 * Whatever comes from a camera, a visitor or a file, an expression's work grows as the text does. The steps of a plain
 * backtracking search are counted, so that a slow machine has the same result; the engine takes no more.
 */
describe('an expression that meets outside bytes takes time linear to them', () => {
  test.each(expressions)('$site', (expression) => {
    expect(slowOn(expression)).toBeUndefined()
    // And the engine itself gets through long ones; were it not linear, this would not end.
    const own = new RegExp(expression.source, expression.flags)
    for (const input of inputsFor(expression).filter((_, index) => index % 32 === 0))
      textOf(input, 300_000).replace(own, '')
  })

  test('there are as many as are known to be', () => {
    expect(expressions.length).toBeGreaterThan(50)
  })
})

describe('what is not linear is found', () => {
  test.each([
    /RTSP\/\S*\s+\+?0*3\d\d/,
    /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/"'\\]+@/gi,
    /\s+$/,
    /^(a+)+$/,
    /^(?:a|a)*$/,
    /^(?:a|b|ab)*c/,
    /(?=.*x)y/,
    /a.*?b/,
    /^\d+\d+x$/,
    /(?:a.*b)?c/g,
    /^(\w+\s?)*$/,
  ])('%s', (expression) => {
    expect(slowOn(expression)).toBeDefined()
  })

  test.each([/^a+$/, /[a-z]+/g, /^(?:ab?)*c/, /(?<=x)[^x]*/g, /a{2,5}b/, /^[^@]+@[^@]+$/, /(?!a)b|c/])(
    'and what is, is not: %s',
    (expression) => {
      expect(slowOn(expression)).toBeUndefined()
    },
  )

  test.each([
    [/^a*b/, 'aaab', 14],
    [/a|b/, 'b', 4],
  ])('steps of %s in %s', (expression, text, steps) => {
    expect(createCounter(expression)(text, 1000)).toBe(steps)
  })
})
