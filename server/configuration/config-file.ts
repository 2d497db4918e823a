import { readFileSync } from 'node:fs'
import { parse, TomlError } from 'smol-toml'
import * as z from 'zod/mini'
import { UsageError, whyUnreadable } from '../usage-error.ts'
import { variableNames } from './environment.ts'

const Values = z.record(z.string(), z.unknown())
const Plain = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

/** What separates the items of a list in a variable; a comma otherwise. */
const separators: Readonly<Record<string, string>> = { ARCHIVE_DIRS: ':', OIDC_GROUP_RIGHTS: ';' }
const separatorOf = (name: string): string => separators[name] ?? ','

/** Whether the variable would have more items than the list, as of a group like `CN=guards,OU=site`. */
const hasSeparator = (name: string, value: z.output<typeof Plain>): boolean =>
  Array.isArray(value) && name !== 'TUNNEL_COMMAND' && value.some((item) => item.includes(separatorOf(name)))

const textOf = (name: string, value: z.output<typeof Plain>): string => {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (!Array.isArray(value)) return String(value)
  if (name === 'TUNNEL_COMMAND') return JSON.stringify(value)
  return value.join(separatorOf(name))
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Whether a line of TOML or JSON has a key at an offset: a value follows it, or it is the name of a table. */
const isKey = (line: string, name: string, offset: number): boolean => {
  const before = line.slice(0, offset).replace(/["']$/, '').trim().at(-1) ?? ''
  const after = line
    .slice(offset + name.length)
    .replace(/^["']/, '')
    .trim()
  return before === '[' ? /^[\].]/.test(after) : ['', '{', ','].includes(before) && /^[=:]/.test(after)
}

/** The number of the line that sets a name; undefined if none does. */
const lineOf = (text: string, name: string): number | undefined => {
  const lines = text.split('\n')
  const index = lines.findIndex((line) => {
    for (let offset = line.indexOf(name); offset >= 0; offset = line.indexOf(name, offset + 1))
      if (isKey(line, name, offset)) return true
    return false
  })
  return index < 0 ? undefined : index + 1
}

const errorAt = (file: string, line: number | undefined, reason: string): UsageError =>
  new UsageError(`${file}:${line === undefined ? '' : `${line}:`} ${reason}`)

const quotedLength = 10

/** Of an unexpected token V8 quotes only what is around it: up to ten characters on each side. */
const offsetIn = (text: string, reason: string): number => {
  const [, offset] = /at position (\d+)/.exec(reason) ?? []
  if (offset !== undefined) return Number(offset)
  const end = ' is not valid JSON'
  const quoted = reason.endsWith(end) ? reason.slice(reason.indexOf(', ') + 2, -end.length) : ''
  const [isCutBefore, isCutAfter] = [quoted.startsWith('...'), quoted.endsWith('...')]
  if (!isCutBefore && !isCutAfter) return text.length
  const around = quoted.slice(isCutBefore ? 4 : 1, isCutAfter ? -4 : -1)
  return text.indexOf(around) + (isCutBefore ? quotedLength : around.length - quotedLength)
}

const parsedJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    const line = lineAt(text, offsetIn(text, reason))
    // Without what V8 quotes of the file, which may be a password.
    throw errorAt(file, line, `invalid JSON (${reason.replace(/, (?:\.{3})?".*| \(line.*/s, '')})`)
  }
}

const parsedToml = (file: string, text: string): unknown => {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = ''] = error.message.split('\n')
    throw errorAt(file, error.line, reason.replace(/^Invalid TOML document: /, 'invalid TOML: '))
  }
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--config: ${whyUnreadable(file, error)}`)
  }
}

export type ConfigFile = {
  values: Readonly<Record<string, string>>
  /** The error with the line of the option at fault, if its value is from the file. */
  withLine: (error: UsageError, env: NodeJS.ProcessEnv) => UsageError
}

/** Reads JSON from a file named `*.json`, otherwise TOML. The names are those of the variables. Throws `UsageError`. */
export const readConfigFile = (file: string): ConfigFile => {
  const text = readText(file)
  const parsed = file.endsWith('.json') ? parsedJson(file, text) : parsedToml(file, text)
  const table = z.safeParse(Values, parsed)
  if (!table.success || Array.isArray(parsed)) throw errorAt(file, 1, 'the file must hold names and values')
  const values = Object.entries(table.data).map(([name, value]) => {
    if (!variableNames.includes(name)) throw errorAt(file, lineOf(text, name), `unknown option ${name}`)
    const plain = z.safeParse(Plain, value)
    if (!plain.success) {
      throw errorAt(file, lineOf(text, name), `${name} takes text, a number, true or false, or a list of texts`)
    }
    if (hasSeparator(name, plain.data)) {
      throw errorAt(file, lineOf(text, name), `no item of ${name} can have "${separatorOf(name)}"`)
    }
    return [name, textOf(name, plain.data)] as const
  })
  return {
    values: Object.fromEntries(values),
    withLine: (error, env) => {
      const isNamed = (each: string): boolean => new RegExp(`\\b${each}\\b`).test(error.message)
      const name = error.option ?? values.find(([each]) => isNamed(each))?.[0]
      const line = name === undefined || (env[name] ?? '') !== '' ? undefined : lineOf(text, name)
      return line === undefined ? error : errorAt(file, line, error.message)
    },
  }
}

/** The environment overrides the file. An empty variable counts as unset, unless it is the default of a setting. */
export const withConfigFile = (env: NodeJS.ProcessEnv, { values }: ConfigFile): NodeJS.ProcessEnv => ({
  ...values,
  ...Object.fromEntries(
    Object.entries(env).filter(([name, text]) => text !== undefined && (text !== '' || name.startsWith('SETTING_'))),
  ),
})
