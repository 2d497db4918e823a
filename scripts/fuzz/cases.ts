import { bent, fitting, odd, tricks, wireSchema, type Dice, type Known } from './values.ts'

/** A registered route with its schemas. */
export type FuzzedRoute = { method: string; url: string; params: unknown; querystring: unknown; body: unknown }

/** One call; `path` is already encoded. */
export type Case = { method: string; path: string; headers: Record<string, string>; body: string | Buffer | undefined }

/** Encoded paths that would leave their folder. */
const rawPaths = [
  '../../package.json',
  '..%2f..%2fpackage.json',
  '%2e%2e/%2e%2e/package.json',
  '....//package.json',
  '..%5c..%5cpackage.json',
  '.git/config',
  '%00',
  'main.js%00.css',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  'a/../../b',
  '.',
  '..',
  '%',
  '%zz',
  '%ff%fe',
  ';a=b',
  `${'a/'.repeat(300)}b`,
  '~root',
  'main.js',
  'index.html',
] as const

const isSendable = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const segmentOf = (name: string, known: Known, dice: Dice): string => {
  const common = known[name]
  if (common !== undefined && !dice.onceIn(4)) return encodeURIComponent(dice.pick(common))
  if (dice.onceIn(3)) return dice.pick(rawPaths)
  return encodeURIComponent(dice.pick(tricks).toWellFormed())
}

const pathOf = (url: string, known: Known, dice: Dice): string =>
  url
    .split('/')
    .map((part) =>
      part.startsWith(':') ? segmentOf(part.slice(1), known, dice) : part === '*' ? dice.pick(rawPaths) : part,
    )
    .join('/')

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed().slice(0, 3000)

const pairsOf = (value: unknown): [string, string][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, one]) =>
        Array.isArray(one) ? one.map((each): [string, string] => [name, textOf(each)]) : [[name, textOf(one)]],
      )
    : [['', textOf(value)]]

const rawQueries = [
  '?',
  '??&&==',
  '%zz=%zz',
  '__proto__=x',
  '__proto__[isAdmin]=true',
  'constructor[prototype][x]=1',
  'a[b][c]=1',
  'page[]=1',
  '%00=%00',
  '=',
  'a',
] as const

const queryOf = (schema: unknown, known: Known, dice: Dice): string => {
  const wire = wireSchema(schema)
  if (dice.onceIn(12)) return `?${dice.pick(rawQueries)}`
  if (wire === undefined) return dice.onceIn(8) ? `?${dice.pick(rawQueries)}` : ''
  const right = fitting(wire, dice, known)
  const pairs = pairsOf(dice.onceIn(2) ? right : bent(right, dice))
  const [first] = pairs
  if (first !== undefined && dice.onceIn(8)) pairs.push(first)
  const query = pairs
    .map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value)}`)
    .join('&')
  return query === '' ? '' : `?${query.slice(0, 9000)}`
}

const rawBodies = [
  '',
  ' ',
  '{',
  '}',
  'null',
  'true',
  '1',
  '"text"',
  '[]',
  '[1,2]',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1e400}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"name":"a","name":"b"}',
  '\uFEFF{}',
  '['.repeat(50_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '<xml/>',
  'name=admin&password=x',
  '{"name":"\\ud800"}',
  '{"name":"\\u0000"}',
  Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]),
  Buffer.alloc(3000),
  'x'.repeat(1_100_000),
] as const

const types = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/jsonx',
  'application',
  ';',
  '',
  'application/json, text/plain',
  'text/html',
  'application/merge-patch+json',
] as const

const bodyOf = (schema: unknown, known: Known, dice: Dice): string | Buffer | undefined => {
  const wire = wireSchema(schema)
  if (dice.onceIn(10)) return dice.pick(rawBodies)
  if (wire === undefined) return dice.onceIn(4) ? JSON.stringify(odd(dice)) : undefined
  const right = fitting(wire, dice, known)
  return JSON.stringify(dice.onceIn(3) ? right : bent(right, dice))
}

const oddHeaders: readonly [string, readonly [string, ...string[]]][] = [
  [
    'authorization',
    [
      'Bearer ',
      'Bearer x',
      'Basic YWRtaW46YWRtaW4=',
      'bearer',
      'Bearer sl_'.padEnd(4000, 'x'),
      'Digest username="admin"',
      'Negotiate \u00ff',
    ],
  ],
  [
    'cookie',
    [
      'session=',
      'session=%zz',
      'session=%00',
      '__Host-session=x',
      ';;;==',
      'session=a; session=b',
      '__proto__=x',
      `session=${'x'.repeat(4000)}`,
    ],
  ],
  ['share-token', [' ', 'x', '%00', 'x'.repeat(5000), '\u00ff\u00fe']],
  ['host', ['elsewhere', 'localhost:99999', '[::1', '..', 'a b', 'x'.repeat(300)]],
  ['origin', ['null', 'http://elsewhere', 'file://', 'x', 'http://127.0.0.1.elsewhere']],
  ['sec-fetch-site', ['cross-site', 'same-site', 'none', '', 'same-origin, cross-site']],
  ['x-forwarded-for', ['127.0.0.1', "' OR 1=1", '::1, 10.0.0.1', 'x'.repeat(2000)]],
  ['x-forwarded-proto', ['https', 'javascript']],
  ['accept-encoding', ['br;q=x', '*;q=0', 'identity;q=0, *;q=0', 'x'.repeat(1000)]],
  ['range', ['bytes=0-', 'bytes=-1', 'bytes=5-2', 'bytes=0-0,1-1,2-2', `bytes=${'0-1,'.repeat(500)}2-3`, 'lines=1-2']],
  ['if-none-match', ['*', '"x"', 'W/"', 'x'.repeat(1000)]],
  ['if-modified-since', ['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT']],
  ['user-agent', ['', 'x'.repeat(6000), '\u00ff', '<script>', '() { :; }; id']],
  ['accept', ['', '*/*;q=9', 'x'.repeat(2000)]],
  ['accept-version', ['1.0.0', 'x', '*']],
  ['x-http-method-override', ['DELETE']],
  ['expect', ['100-continue']],
]

const headersOf = (hasBody: boolean, dice: Dice): Record<string, string> => {
  const headers: Record<string, string> = {}
  if (hasBody) headers['content-type'] = dice.onceIn(15) ? dice.pick(types) : 'application/json'
  if (!dice.onceIn(6)) return headers
  const [name, values] = oddHeaders[dice.below(oddHeaders.length)] ?? ['accept', ['']]
  headers[name] = dice.pick(values)
  return headers
}

/** A random odd input for a route. */
export const caseOf = (route: FuzzedRoute, known: Known, dice: Dice): Case => {
  const asked = `${pathOf(route.url, known, dice)}${queryOf(route.querystring, known, dice)}`
  const takesBody = route.body !== undefined || (route.method !== 'GET' && dice.onceIn(4)) || dice.onceIn(40)
  const body = takesBody ? bodyOf(route.body, known, dice) : undefined
  return {
    method: route.method,
    path: isSendable(asked) ? asked : encodeURI(asked.toWellFormed()),
    headers: headersOf(body !== undefined, dice),
    body,
  }
}
