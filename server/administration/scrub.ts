import { flatten, secretPaths, type ConfigurationValues } from '../configuration/values.ts'
import { maskSecrets } from '../http/log.ts'
import { parseSource } from '../media/source.ts'

const mask = '***'
/** Shorter secrets would mask parts of ordinary words. */
const minSecretLength = 4
const secretName = /password|passwd|secret|token|authorization|cookie|credential|signature|private/i

/** Masks the given secrets, the credentials in URLs, and the values of fields whose names suggest a secret. */
export const scrub = (value: unknown, secrets: readonly string[]): unknown => {
  if (typeof value === 'string')
    return secrets.reduce((text, secret) => text.replaceAll(secret, mask), maskSecrets(value))
  if (Array.isArray(value)) return value.map((item: unknown) => scrub(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      secretName.test(name) && typeof one === 'string' && one !== '' ? mask : scrub(one, secrets),
    ]),
  )
}

const sourceSecrets = (source: string): readonly string[] => {
  const parsed = parseSource(source)
  if (typeof parsed === 'string' || parsed.kind !== 'network') return []
  return [parsed.password, `${parsed.username}:${parsed.password}`, URL.parse(source)?.password ?? '']
}

/** The secrets of settings, sources and `others`: plain, URL-encoded and JSON-escaped, the longest first. */
export const secretsOf = (
  values: ConfigurationValues,
  sources: readonly string[],
  others: readonly string[],
): readonly string[] => {
  const flat = flatten(values)
  const known = [...secretPaths.map((path) => String(flat[path] ?? '')), ...sources.flatMap(sourceSecrets), ...others]
  const encoded = known.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ])
  return [...new Set(encoded)]
    .filter((secret) => secret.length >= minSecretLength)
    .toSorted((one, other) => other.length - one.length)
}
