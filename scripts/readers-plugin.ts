import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { $ZodTypes } from 'zod/v4/core'
import * as z from 'zod/mini'

/** The schemas of src/api/contract/wire.ts that readers know by themselves. */
type Instants = Readonly<Record<'instant' | 'optionalInstant', z.core.$ZodType>>

/** Bodies and queries are checked by zod; answers are only decoded. */
const isRequest = /(?:(?<!Error)Body|Patch|Query)$/

/** A reader of the console has no words for what this schema asks. */
class Unreadable extends Error {}

const isKnown = (schema: z.core.$ZodType): schema is $ZodTypes => 'def' in schema._zod

function defOf(schema: z.core.$ZodType): $ZodTypes['_zod']['def'] {
  if (!isKnown(schema)) throw new Unreadable('no schema of zod')
  return schema._zod.def
}

interface Bound {
  check: string
  value: unknown
  inclusive: boolean
}
const isBound = (check: object): check is Bound => 'value' in check && 'inclusive' in check

/** `within(0, 1)` for a number that must be from 0 to 1, `above(0)` for one that must be more than 0. */
function numberOf({ checks = [], ...def }: { checks?: readonly z.core.$ZodCheck[] | undefined }): string {
  if ('format' in def) throw new Unreadable('a number of a format')
  if (checks.length === 0) return 'number'
  const bounds = checks.map(({ _zod }) => _zod.def).filter(isBound)
  const [only] = bounds
  if (checks.length === 1 && only?.check === 'greater_than' && !only.inclusive) return `above(${String(only.value)})`
  const [from, to] = ['greater_than', 'less_than'].map((name) => bounds.find(({ check }) => check === name))
  if (checks.length !== 2 || !from?.inclusive || !to?.inclusive) throw new Unreadable('a check of a number')
  return `within(${String(from.value)}, ${String(to.value)})`
}

const isLeast = (check: object): check is { check: string; minimum: number } => 'minimum' in check

/** An array of any length, or with an element at least. */
function arrayOf(read: string, checks: readonly z.core.$ZodCheck[] = []): string {
  const [least, ...others] = checks.map(({ _zod }) => _zod.def)
  if (least === undefined) return read
  if (!isLeast(least) || least.minimum !== 1 || others.length > 0) throw new Unreadable('a check of an array')
  return `nonEmpty(${read})`
}

function fallbackOf(inner: z.core.$ZodType, value: unknown, code: (schema: z.core.$ZodType) => string): string {
  const { type } = defOf(inner)
  if (type === 'string' && value === '') return 'text'
  if (type === 'boolean' && value === false) return 'flag'
  const def = defOf(inner)
  if (def.type === 'array' && def.checks === undefined && Array.isArray(value) && value.length === 0)
    return `list(${code(def.element)})`
  return `fallback(${code(inner)}, () => (${JSON.stringify(value)}))`
}

/** Writes readers (src/api/readers.ts) of schemas: an expression for each, objects as constants before it. */
function createWriter({ instant, optionalInstant }: Instants) {
  const constants: string[] = []
  const written = new Map<z.core.$ZodType, string>()

  function write(schema: z.core.$ZodType): string {
    if (schema === instant) return 'instant'
    if (schema === optionalInstant) return 'optionalInstant'
    const def = defOf(schema)
    if (!['number', 'string', 'array'].includes(def.type) && (def.checks?.length ?? 0) > 0)
      throw new Unreadable(`a check of ${def.type}`)
    switch (def.type) {
      case 'string':
        if ((def.checks?.length ?? 0) > 0 || 'coerce' in def) throw new Unreadable('a check of a string')
        if (!('format' in def)) return 'string'
        if (def.format !== 'date' || !('pattern' in def)) throw new Unreadable('a string of a format')
        return `matching(${String(def.pattern)})`
      case 'number':
        return numberOf(def)
      case 'boolean':
      case 'unknown':
        return def.type
      case 'literal':
        return `literal(${def.values.map((value) => JSON.stringify(value)).join(', ')})`
      case 'enum':
        return `literal(${Object.values(def.entries)
          .map((value) => JSON.stringify(value))
          .join(', ')})`
      case 'array':
        return arrayOf(`array(${write(def.element)})`, def.checks)
      case 'record':
        if (write(def.keyType) !== 'string') throw new Unreadable('a record of certain keys')
        return `record(${write(def.valueType)})`
      case 'optional': {
        const inner = write(def.innerType)
        /** zod fills in what is absent here, too. */
        return ['default', 'prefault'].includes(defOf(def.innerType).type) ? inner : `optional(${inner})`
      }
      case 'nullable':
        return `nullable(${write(def.innerType)})`
      case 'default':
        return fallbackOf(def.innerType, def.defaultValue, write)
      case 'catch': {
        const value = def.catchValue({ value: undefined, issues: [], input: undefined, error: { issues: [] } })
        return `orElse(${write(def.innerType)}, () => (${String(JSON.stringify(value))}))`
      }
      case 'prefault':
        return `prefault(${write(def.innerType)}, () => (${JSON.stringify(def.defaultValue)}))`
      case 'union':
        return `union(${def.options.map(write).join(', ')})`
      case 'object': {
        const known = written.get(schema)
        if (known !== undefined) return known
        if (def.catchall !== undefined) throw new Unreadable('members without a name')
        const members = Object.entries(def.shape).map(([key, member]) => `${JSON.stringify(key)}: ${write(member)}`)
        const name = `read${constants.length}`
        constants.push(`const ${name} = object({ ${members.join(', ')} })`)
        written.set(schema, name)
        return name
      }
      default:
        throw new Unreadable(def.type)
    }
  }

  return { constants, write }
}

/** The readers of a module's answers by name. */
export function readersOf(exported: Readonly<Record<string, unknown>>, instants: Instants) {
  const { constants, write } = createWriter(instants)
  const readers = new Map<string, string>()
  for (const [name, value] of Object.entries(exported)) {
    if (isRequest.test(name) || !(value instanceof z.core.$ZodType)) continue
    try {
      readers.set(name, write(value))
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
    }
  }
  return { constants, readers }
}

const query = '?readers'
const root = join(import.meta.dirname, '..')
const runtime = JSON.stringify(join(root, 'src/api/readers.ts'))
/** By its address: what the configuration imports itself is another copy. */
const importOf = (file: string) => import(pathToFileURL(file).href)
const imported = /^import \{([^}]*)\} from '([./]+(?:\/api)?\/contract\/[\w-]+\.ts)'/gm
/** Files that decode answers alone; zod's own functions don't take a reader. */
export const decoding = /\/src\/(?:wiring\/.+|api\/(?:resources|media)\/.+|api\/[^/]+)\.tsx?$/
const helpers = `above, array, boolean, fallback, flag, instant, list, literal, matching, nonEmpty, nullable, number,
  object, optional, optionalInstant, orElse, prefault, record, schema, string, text, union, unknown, within`

/**
 * Gives the code that decodes answers readers of its schemas instead of zod, which the first screens have no other use
 * for. What readers can't do, requests among it, stays with zod.
 */
export function readersPlugin(): Plugin {
  const wire: Promise<Instants> = importOf(join(root, 'src/api/contract/wire.ts'))
  const known = new Map<string, ReturnType<typeof readersOf>>()

  async function readersIn(file: string): Promise<ReturnType<typeof readersOf>> {
    const found = known.get(file) ?? readersOf(await importOf(file), await wire)
    known.set(file, found)
    return found
  }

  /** Two statements for one: what the readers have, and what zod keeps. Types are named by neither. */
  async function divided(names: string, from: string, importer: string): Promise<string> {
    const file = resolve(dirname(importer), from)
    const { readers } = await readersIn(file)
    const values = names.split(',').map((one) => one.trim())
    const isValue = (one: string) => one !== '' && !one.startsWith('type ')
    const { own = [], rest = [] } = Object.groupBy(values.filter(isValue), (one) => (readers.has(one) ? 'own' : 'rest'))
    const statement = (some: readonly string[], path: string) =>
      some.length === 0 ? [] : [`import { ${some.join(', ')} } from ${JSON.stringify(path)}`]
    return [...statement(own, file + query), ...statement(rest, file)].join(';')
  }

  return {
    name: 'readers',
    apply: 'build',
    enforce: 'pre',
    resolveId: { filter: { id: /\?readers$/ }, handler: (id) => id },
    transform: {
      filter: { id: decoding, code: /contract\// },
      async handler(code, id) {
        const found = [...code.matchAll(imported)]
        const made = await Promise.all(found.map(([, names = '', from = '']) => divided(names, from, id)))
        return found.reduce((text, [statement], index) => text.replace(statement, () => made[index] ?? statement), code)
      },
    },
    load: {
      filter: { id: /\?readers$/ },
      async handler(id) {
        const file = id.slice(0, -query.length)
        this.addWatchFile(file)
        const { constants, readers } = await readersIn(file)
        const code = [
          `import { ${helpers} } from ${runtime}`,
          ...constants.map((one) => one.replace('= object', '= /* @__PURE__ */ object')),
          ...[...readers.values()].map((reader, index) => `const answer${index} = /* @__PURE__ */ schema(${reader})`),
          `export { ${[...readers.keys()].map((name, index) => `answer${index} as ${name}`).join(', ')} }`,
        ]
        return { code: code.join('\n'), moduleType: 'js' }
      },
    },
  }
}
