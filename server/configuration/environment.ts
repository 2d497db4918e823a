import * as z from 'zod/mini'
import { fieldWords } from '../http/field-words.ts'
import { UsageError } from '../usage-error.ts'
import { optionTable } from './option-table.ts'
import { builtInValues, flatten, nest, merge, parseValues, type ConfigurationValues } from './values.ts'

/** `mail.host` → `SETTING_MAIL_HOST`, `limits.playlistMaxSeconds` → `SETTING_LIMITS_PLAYLIST_MAX_SECONDS`. */
const variableOf = (path: string): string =>
  `SETTING_${path
    .replaceAll('.', '_')
    .replaceAll(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase()}`

/** The variables of all settings. */
export const settingNames: readonly string[] = Object.keys(flatten(builtInValues)).map(variableOf)
/** The variables of all options and settings. */
export const variableNames: readonly string[] = [...optionTable.map(({ name }) => name), ...settingNames]

/** Undefined for a text that says neither. */
const yesOrNo = (text: string): boolean | undefined => {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true
  return /^(?:0|false|no|off)$/i.test(text) ? false : undefined
}

/** Whether the variable of an option is on. */
export const isOn = (name: string, text: string): boolean => {
  const value = yesOrNo(text)
  if (value === undefined) throw new UsageError(`${name} takes true or false`)
  return value
}

/** The text of a variable as a value of the example's type; a text that can't be one is refused by the schema. */
const valueLike = (example: unknown, text: string): unknown => {
  // JavaScript takes an empty text for 0.
  if (typeof example === 'number') return text.trim() === '' ? Number.NaN : Number(text)
  if (typeof example === 'boolean') return yesOrNo(text) ?? text
  if (Array.isArray(example)) return text.split(',').map((item) => item.trim())
  return text
}

/** Undefined where a `%` encodes nothing. */
const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const mailOf = (text: string): Record<string, unknown> => {
  const url = URL.parse(text)
  const [user, password] = [url?.username ?? '', url?.password ?? ''].map(decoded)
  const isCredentials = user !== undefined && password !== undefined
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !isCredentials) {
    throw new Error('SMTP_URL takes an address like smtp://user:password@host:587')
  }
  const isEncrypted = url.protocol === 'smtps:'
  return {
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: url.port === '' ? (isEncrypted ? 465 : 25) : Number(url.port),
    security: isEncrypted ? 'tls' : 'auto',
    user,
    password,
  }
}

/** The defaults of settings, from SETTING_…, SMTP_URL and ALLOW_LOOPBACK_SOURCES. Its errors are for the operator. */
export const readEnvironment = (env: NodeJS.ProcessEnv): ConfigurationValues => {
  z.config({ localeError: fieldWords })
  const smtp = env['SMTP_URL'] ?? ''
  const loopback = env['ALLOW_LOOPBACK_SOURCES'] ?? ''
  const isLoopbackAllowed = loopback !== '' && isOn('ALLOW_LOOPBACK_SOURCES', loopback)
  const given = Object.entries(flatten(builtInValues)).flatMap(([path, example]) => {
    const text = env[variableOf(path)]
    return text === undefined ? [] : [[path, valueLike(example, text)] as const]
  })
  const shorthands = {
    ...(smtp === '' ? {} : { mail: mailOf(smtp) }),
    ...(isLoopbackAllowed ? { sources: { allowLoopback: true } } : {}),
  }
  const result = parseValues(merge(merge(builtInValues, shorthands), nest(Object.fromEntries(given))))
  if ('values' in result) return result.values
  const [path = '', message = ''] = Object.entries(result.errors)[0] ?? []
  throw new Error(`${variableOf(path)}: ${message}`)
}
