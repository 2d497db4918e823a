import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'vite'

/** A node of a syntax tree. */
type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const nodeOf = (value: unknown): Node => (isNode(value) ? value : {})
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const known = new Map<string, Node>()

/** The syntax tree of a file, by its path from the root of the project. */
function treeOf(file: string): Node {
  const tree = known.get(file) ?? nodeOf(parseSync(file, readFileSync(file, 'utf8')).program)
  known.set(file, tree)
  return tree
}

function* nodesOf(node: Node): Generator<Node> {
  if (typeof node['type'] === 'string') yield node
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child)
  }
}

const ofType = (node: Node, type: string): Node[] => [...nodesOf(node)].filter((one) => one['type'] === type)

const nameOf = (value: unknown): string => textOf(nodeOf(value)['name'])

/** The file that an imported name comes from, and its name there. */
function importOf(file: string, name: string): { file: string; name: string } | null {
  for (const statement of ofType(treeOf(file), 'ImportDeclaration')) {
    const source = textOf(nodeOf(statement['source'])['value'])
    if (!source.startsWith('.')) continue
    for (const specifier of listOf(statement['specifiers'])) {
      if (nameOf(specifier['local']) !== name) continue
      return { file: normalize(join(dirname(file), source)), name: nameOf(specifier['imported']) }
    }
  }
  return null
}

const declarations = ['TSTypeAliasDeclaration', 'TSInterfaceDeclaration']

function declared(file: string, name: string): string[] {
  const declaration = declarations.flatMap((type) => ofType(treeOf(file), type)).find(({ id }) => nameOf(id) === name)
  if (declaration !== undefined) return namesIn(file, nodeOf(declaration['typeAnnotation'] ?? declaration['body']))
  const imported = importOf(file, name)
  return imported === null ? [] : declared(imported.file, imported.name)
}

const stringIn = (node: Node): string => textOf(nodeOf(node['literal'])['value'])

/** The event names of a type of events. */
function namesIn(file: string, type: Node): string[] {
  switch (type['type']) {
    case 'TSUnionType':
    case 'TSIntersectionType':
      return listOf(type['types']).flatMap((one) => namesIn(file, one))
    case 'TSParenthesizedType':
      return namesIn(file, nodeOf(type['typeAnnotation']))
    case 'TSTypeLiteral':
      return listOf(type['members']).flatMap(memberNames)
    case 'TSInterfaceBody':
      return listOf(type['body']).flatMap(memberNames)
    case 'TSTypeReference': {
      const name = nameOf(type['typeName'])
      const given = listOf(nodeOf(type['typeArguments'])['params'])
      return name === 'Extract' ? namesIn(file, given[1] ?? {}) : declared(file, name)
    }
    default:
      return []
  }
}

function memberNames(member: Node): string[] {
  if (member['type'] !== 'TSPropertySignature' || nameOf(member['key']) !== 'type') return []
  return ofType(member, 'TSLiteralType').map(stringIn)
}

/** The events that a file's machine setups declare: `events: {} as …`. */
function stated(file: string): string[] {
  return ofType(treeOf(file), 'Property')
    .filter(({ key, value }) => nameOf(key) === 'events' && nodeOf(value)['type'] === 'TSAsExpression')
    .flatMap(({ value }) => namesIn(file, nodeOf(nodeOf(value)['typeAnnotation'])))
}

/** The events that the machine of a file declares, there or in the setup that it imports. */
export function takenBy(file: string): string[] {
  const setups = ofType(treeOf(file), 'MemberExpression')
    .filter(({ property }) => nameOf(property) === 'createMachine')
    .flatMap(({ object }) => importOf(file, nameOf(object))?.file ?? [])
  return [file, ...setups].flatMap(stated)
}

const isEvent = (name: string): boolean => name.includes('.') && !name.startsWith('xstate.')

/** Strings in types, keys and comparisons. */
function isNoValue(node: Node, member: string): boolean {
  if (['typeAnnotation', 'typeArguments', 'typeParameters', 'returnType'].includes(member)) return true
  if (member === 'key') return node['computed'] !== true
  if (node['type'] === 'SwitchCase') return member === 'test'
  return node['type'] === 'BinaryExpression' && member === 'right'
}

/** The strings in code that may be event names. */
function* stringsIn(node: Node): Generator<string> {
  if (declarations.includes(textOf(node['type']))) return
  if (node['type'] === 'Literal') yield textOf(node['value'])
  for (const [member, value] of Object.entries(node)) {
    if (isNoValue(node, member)) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* stringsIn(child)
  }
}

const files = globSync('src/**/*.{ts,tsx}', { exclude: (name) => /\.test\.tsx?$/.test(name) })

/** The names of all events that code creates. */
export const made: ReadonlySet<string> = new Set(files.flatMap((file) => [...stringsIn(treeOf(file))].filter(isEvent)))

/** The names of the events that a file sends to a parent. */
export function sentToParentBy(file: string): string[] {
  const isSending = ({ callee }: Node) => [nameOf(callee), nameOf(nodeOf(callee)['property'])].includes('sendParent')
  const calls = ofType(treeOf(file), 'CallExpression').filter(isSending)
  return calls.flatMap((node) => [...stringsIn(node)].filter(isEvent))
}
