import { StateMachine } from 'xstate'

/** JSON; values that JSON doesn't have are objects with one `$` key, some of which `revive` restores. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain }

export const masked = '•••'

const secretKey = /passw|passphrase|secret|token|authorization|cookie|licen[cs]e|credential|api_?key/i
const codeKey = /^(?:code|otp|pin)$/i
const secretEvent = /^(?:secret|password|code)\./
const inAddress = /([?&#](?:[^=&#\s]*(?:token|code|share|secret|password|signature|key|auth)[^=&#\s]*)=)[^&#\s"']+/gi
const userInfo = /(\w+:\/\/[^\s/:@]*:)[^\s/]+@/g
const bearer = /\b(Bearer|Basic)\s+\S+/g

/** Whether a text looks like a key or a licence: long, without spaces, with lower and upper case letters and digits. */
const isOpaque = (text: string) =>
  text.length >= 64 && /^[\w+/=.\-\r\n]+$/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)

/** Masks a text whose key says that it is a secret, and the secrets within other texts. */
function maskSecrets(text: string, key: string, isSecret: boolean): string {
  if (text === '') return text
  /** Error codes have no digits, codes sent by mail have only digits. */
  if (isSecret || secretKey.test(key) || (codeKey.test(key) && /\d/.test(text)) || isOpaque(text)) return masked
  return text
    .replaceAll(inAddress, `$1${masked}`)
    .replaceAll(userInfo, `$1${masked}@`)
    .replaceAll(bearer, `$1 ${masked}`)
}

const maxDepth = 12

/**
 * Converts a value to JSON and masks secrets: passwords, tokens, codes, licences, also within URLs and headers. `key`:
 * the name of the property that the value is from.
 */
export const plain = (value: unknown, key = ''): Plain => convert(value, key, false, 0) ?? null

/** Whether all texts of an event are secrets, whatever their keys, as those of `secret.copied`. */
export const isAboutSecret = ({ type }: { readonly type: string }): boolean => secretEvent.test(type)

/** Converts an event in the same way; for one about a secret, masks all texts. */
export function plainEvent(event: { readonly type: string }): { readonly type: string; readonly [key: string]: Plain } {
  const isSecret = isAboutSecret(event)
  const fields = Object.entries(event).flatMap(([key, value]) => entry(key, value, isSecret, 0))
  return { ...Object.fromEntries(fields), type: event.type }
}

function entry(key: string, value: unknown, isSecret: boolean, depth: number): [string, Plain][] {
  const converted = convert(value, key, isSecret, depth + 1)
  return converted === undefined ? [] : [[key, converted]]
}

function convert(value: unknown, key: string, isSecret: boolean, depth: number): Plain | undefined {
  if (typeof value === 'string') return maskSecrets(value, key, isSecret)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $number: String(value) }
  if (typeof value === 'function') return { $function: value.name }
  if (typeof value !== 'object') return value === undefined ? undefined : String(value)
  return (
    named(value) ?? (depth > maxDepth ? { $deeper: true } : inside(value, key, isSecret || secretKey.test(key), depth))
  )
}

function named(value: object): Plain | undefined {
  if ('sessionId' in value && 'id' in value) return { $actor: String(value.id) }
  if (value instanceof StateMachine) return { $machine: value.id }
  if (value instanceof Error) return { $error: maskSecrets(value.message, '', false) }
  if ('transition' in value && 'getInitialSnapshot' in value) return { $logic: true }
  return undefined
}

function inside(value: object, key: string, isSecret: boolean, depth: number): Plain {
  const within = (item: unknown) => convert(item, key, isSecret && typeof item === 'string', depth + 1) ?? null
  if (Array.isArray(value)) return value.map(within)
  if (value instanceof Map)
    return {
      $map: [...value].map(([name, item]) => [
        convert(name, '', false, depth + 1) ?? null,
        convert(item, String(name), false, depth + 1) ?? null,
      ]),
    }
  if (value instanceof Set) return { $set: [...value].map(within) }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return { $object: value.constructor.name }
  return Object.fromEntries(Object.entries(value).flatMap(([name, item]) => entry(name, item, false, depth)))
}

interface Revival {
  machine: (id: string) => unknown
  actor: (id: string) => unknown
}

/** Restores values from plain data, as far as possible; machines and actors by their ids. */
export function revive(value: Plain, by: Revival): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map((item) => revive(item, by))
  const { $map, $set, $number, $error, $machine, $actor, $function, $logic } = value
  if (Array.isArray($map))
    return new Map($map.map((pair) => [revive(pair[0] ?? null, by), revive(pair[1] ?? null, by)]))
  if (Array.isArray($set)) return new Set($set.map((item) => revive(item, by)))
  if (typeof $number === 'string') return Number($number)
  if (typeof $error === 'string') return new Error($error)
  if (typeof $machine === 'string') return by.machine($machine)
  if (typeof $actor === 'string') return by.actor($actor)
  if (typeof $function === 'string') return () => undefined
  if ($logic === true) return null
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revive(item, by)]))
}

const isList = (value: Plain): value is readonly Plain[] => Array.isArray(value)
