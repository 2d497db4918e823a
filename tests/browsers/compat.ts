import bcd from '@mdn/browser-compat-data' with { type: 'json' }
import { parseSync, Visitor } from 'vite'
import { oldest } from '../../scripts/oldest-browsers.ts'

/** One use of a feature that an oldest supported browser doesn't have. */
export interface TooNew {
  readonly name: string
  readonly line: number
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const keys = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
const at = (value: unknown, ...path: readonly string[]): unknown => path.reduce((inner, key) => keys(inner)[key], value)

const number = (version: string): number => {
  const [major = 0, minor = 0] = version.replace('≤', '').split('.').map(Number)
  return major * 1000 + minor
}
const isSince = (support: Record<string, unknown>, limit: string): boolean =>
  typeof support['version_added'] === 'string' &&
  number(support['version_added']) <= number(limit) &&
  (typeof support['version_removed'] !== 'string' || number(support['version_removed']) > number(limit)) &&
  ['flags', 'prefix', 'alternative_name'].every((name) => support[name] === undefined)

/** Undefined if the compatibility data doesn't know the feature. */
function isTooNew(feature: unknown): boolean | undefined {
  const support = at(feature, '__compat', 'support')
  if (support === undefined) return undefined
  return Object.entries(oldest).some(
    ([browser, limit]) => ![at(support, browser)].flat().some((one) => isSince(keys(one), limit)),
  )
}

const { api, css } = bcd
const { builtins } = bcd.javascript
const interfaces: Record<string, unknown> = { ...api, ...builtins }
const instances: Readonly<Record<string, string>> = {
  document: 'Document',
  navigator: 'Navigator',
  window: 'Window',
  globalThis: 'Window',
  history: 'History',
  screen: 'Screen',
  performance: 'Performance',
}

/** By name of a member: whether it is too new in every interface that has it. */
const members = new Map<string, boolean>()
for (const [name, one] of Object.entries(interfaces)) {
  for (const [member, feature] of Object.entries(keys(one))) {
    const isNew = isTooNew(feature)
    const called = member.replace('_static', '')
    if (isNew !== undefined && member !== name) members.set(called, isNew && members.get(called) !== false)
  }
}

/** The features of scripts that are too new, as `Interface` or `Interface.member`. */
export function tooNewNames(): string[] {
  return Object.entries(interfaces).flatMap(([name, one]) =>
    isTooNew(one) === true
      ? [name]
      : Object.entries(keys(one))
          .filter(([member, feature]) => member !== name && isTooNew(feature) === true)
          .map(([member]) => `${name}.${member.replace('_static', '')}`),
  )
}

const nameOf = (node: { type: string; name?: unknown } | undefined): string =>
  node?.type === 'Identifier' ? String(node.name) : ''

/** The features of a script that are too new, and the names of members that it defines itself. */
export interface ReadScript {
  readonly found: readonly (TooNew & { readonly isMember: boolean })[]
  readonly own: readonly string[]
}

const reading = {
  found: [] as { name: string; start: number; isMember: boolean }[],
  own: [] as string[],
  declared: new Set<string>(),
  imported: new Set<string>(),
}
const note = (name: string, start: number, isMember = false) => void reading.found.push({ name, start, isMember })
const removeOwn = ({ key }: { key: { type: string; name?: unknown } }) => void reading.own.push(nameOf(key))
const isKnown = (name: string) => Object.hasOwn(interfaces, name) || Object.hasOwn(instances, name)
const removeImport = ({ local }: { local: { name: string } }) => {
  reading.declared.add(local.name)
  reading.imported.add(local.name)
}
const removeGlobal = (node: { type: string; name?: unknown; start: number }) => {
  const name = nameOf(node)
  if (/^[A-Z]/.test(name) || ['scheduler', 'cookieStore', 'navigation'].includes(name))
    if (isTooNew(interfaces[name]) === true) note(name, node.start)
}

const visitor = new Visitor({
  Property: removeOwn,
  MethodDefinition: removeOwn,
  PropertyDefinition: removeOwn,
  TSMethodSignature: removeOwn,
  TSPropertySignature: removeOwn,
  ImportSpecifier: removeImport,
  ImportDefaultSpecifier: removeImport,
  ImportNamespaceSpecifier: removeImport,
  VariableDeclarator: ({ id }) => void reading.declared.add(nameOf(id)),
  NewExpression: ({ callee }) => removeGlobal(callee),
  CallExpression({ callee, arguments: [first] }) {
    removeGlobal(callee)
    if (callee.type === 'MemberExpression' && nameOf(callee.property) === 'addEventListener')
      if (first?.type === 'Literal' && members.get(`${String(first.value)}_event`) === true)
        note(`${String(first.value)}_event`, first.start, true)
    if (
      callee.type !== 'MemberExpression' ||
      isKnown(nameOf(callee.object)) ||
      reading.imported.has(nameOf(callee.object))
    )
      return
    const name = nameOf(callee.property)
    if (members.get(name) === true) note(name, callee.property.start, true)
  },
  MemberExpression({ object, property }) {
    removeGlobal(object)
    const [base, member] = [nameOf(object), nameOf(property)]
    const owner = instances[base]
    const feature =
      owner === undefined ? (at(builtins, base, member) ?? at(api, base, `${member}_static`)) : at(api, owner, member)
    if (isTooNew(interfaces[base]) === true) return
    if (isTooNew(feature) === true) note(`${base}.${member}`, property.start)
    else if (owner === 'Window' && isTooNew(interfaces[member]) === true) note(member, property.start)
  },
})

export function readScript(file: string, code: string): ReadScript {
  Object.assign(reading, { found: [], own: [], declared: new Set(), imported: new Set() })
  visitor.visit(parseSync(file, code).program)
  const found = reading.found.filter(
    ({ name, isMember }) => isMember || !reading.declared.has(name.split('.')[0] ?? ''),
  )
  return {
    found: found.map(({ name, start, isMember }) => ({
      name,
      line: code.slice(0, start).split('\n').length,
      isMember,
    })),
    own: reading.own,
  }
}

const cssFunctions = new Map<string, boolean>()
const removeFunctions = (node: unknown): void => {
  for (const [name, inner] of Object.entries(keys(node))) {
    if (name === '__compat') continue
    const isNew = isTooNew(inner)
    if (isNew !== undefined) cssFunctions.set(name, isNew && cssFunctions.get(name) !== false)
    removeFunctions(inner)
  }
}
removeFunctions(css.types)

/** Rules, selectors, properties and functions of style sheets that are too new, by name. */
export function tooNewInStyles(code: string): TooNew[] {
  const text = code.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
  const tables: [RegExp, string, (name: string) => boolean | undefined][] = [
    [/@([a-z-]+)/g, '@', (name) => isTooNew(at(css['at-rules'], name))],
    [/(?<=[;{]\s*)([a-z-]+)(?=\s*:[^;{]*[;}])/g, '', (name) => isTooNew(at(css.properties, name))],
    [/(?<=[^\s{;]|\s):{1,2}([a-z-]+)(?=[^;{}]*\{)/g, ':', (name) => isTooNew(at(css.selectors, name))],
    [/([a-z-]+)(?=\()/g, '', (name) => cssFunctions.get(name)],
  ]
  return tables.flatMap(([pattern, mark, isNew]) =>
    [...text.matchAll(pattern)].flatMap(({ 1: name = '', index }) =>
      !name.startsWith('-') && isNew(name) === true
        ? [{ name: mark + name, line: text.slice(0, index).split('\n').length }]
        : [],
    ),
  )
}
