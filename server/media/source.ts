import { beforeSecret, secretNames } from '../http/log.ts'
import { bareHostOf } from './address.ts'
import type { Credentials } from './authorization.ts'

/**
 * A camera in the network. Credentials are separate, so that no message has them by accident. `host`: no IPv6 brackets.
 */
export type NetworkSource = {
  kind: 'network'
  scheme: 'rtsp' | 'rtsps' | 'http' | 'https'
  host: string
  port: number
  path: string
  username: string
  password: string
}
type DemoSource = { kind: 'demo'; scene: string }
export type Source = NetworkSource | DemoSource

/** Messages of the forms' client-side errors (docs/behaviour.md §7), shown beside the field. */
export type SourceProblem =
  | 'Not an address'
  | 'This kind of address is not supported'
  | 'The address has no host'
  | 'Put login and password in their own fields'

const hiddenCredential = '***'

const defaultPorts = { rtsp: 554, rtsps: 322, http: 80, https: 443 } as const
const isScheme = (text: string): text is NetworkSource['scheme'] => Object.hasOwn(defaultPorts, text)

export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** The origin of a URL, with another host. */
export const originAt = ({ protocol, port }: URL, host: string): string =>
  `${protocol}//${bracketed(host)}${port === '' ? '' : `:${port}`}`

const hasControls = (text: string): boolean => /\p{Cc}/u.test(text)

/** Decodes percent-encoding; text that isn't valid stays as it is. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The decoded credentials of a URL. Undefined if there are none, or if they have control characters, as line breaks.
 */
export const credentialsOf = ({ username, password }: URL): Credentials | undefined => {
  const credentials = { username: decoded(username), password: decoded(password) }
  const both = credentials.username + credentials.password
  return both === '' || hasControls(both) ? undefined : credentials
}

/** Whether a `/`, `?` or `#` in the password ends the host too early: `rtsp://login:pass#word@host/`. */
const hasUnencodedPassword = (text: string, url: URL | null): boolean => {
  if (url !== null) return url.hash.includes('@')
  const [start = '', authority = ''] = /^[a-z]+:\/\/([^/?#@]*)/i.exec(text) ?? []
  const rest = text.slice(start.length)
  return authority.includes(':') && !rest.startsWith('@') && rest.includes('@')
}

/** Parses a URL of a source by the WHATWG rules; rtsp, rtsps, http, https and demo only. */
export const parseSource = (text: string): Source | SourceProblem => {
  if (hasControls(text) || /\s/.test(text)) return 'Not an address'
  const url = URL.parse(text)
  if (hasUnencodedPassword(text, url)) return 'Put login and password in their own fields'
  if (url === null) return 'Not an address'
  const scheme = url.protocol.slice(0, -1)
  if (scheme === 'demo') return { kind: 'demo', scene: url.pathname }
  if (!isScheme(scheme)) return 'This kind of address is not supported'
  if (url.hostname === '') return 'The address has no host'
  // WHATWG accepts `http:user:password@host`, in which masking would miss the credentials.
  if (!/^[a-z]+:\/\/[^/\\]/i.test(text)) return 'Not an address'
  const credentials = credentialsOf(url)
  if (credentials === undefined && url.username + url.password !== '') return 'Not an address'
  return {
    kind: 'network',
    scheme,
    host: bareHostOf(url),
    port: url.port === '' ? defaultPorts[scheme] : Number(url.port),
    path: `${url.pathname}${url.search}`,
    username: credentials?.username ?? '',
    password: credentials?.password ?? '',
  }
}

/** The URL with its credentials, which must not get into logs, errors or arguments. */
export const urlOf = ({ scheme, host, port, path, username, password }: NetworkSource): URL => {
  const url = new URL(`${scheme}://${bracketed(host)}:${port}${path}`)
  url.username = encodeURIComponent(username)
  url.password = encodeURIComponent(password)
  return url
}

const userInfo = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i
/** Parameters with credentials, in a query or a path: `?user=…&pwd=…`, `/user=…_password=…_channel=1`. */
const secretParameters = new RegExp(`(${beforeSecret}(${secretNames})=)((?:(?!_[a-z]+=)[^&?#;])*)`, 'giu')

/** Replaces the user info and the values of secret parameters. */
const replaceCredentials = (
  text: string,
  userInfoOf: (found: string) => string,
  valueOf: (found: string, name: string) => string,
): string => {
  const start = userInfo.exec(text)?.[0] ?? ''
  const rest = text
    .slice(start.length)
    .replace(
      secretParameters,
      (_, before: string, name: string, value: string) =>
        before + (value === '' ? '' : valueOf(value, name.toLowerCase())),
    )
  return start.replace(userInfo, (_, scheme: string, found: string) => scheme + userInfoOf(found)) + rest
}

/** `rtsp://user:pass@host/` as shown without canAdmin: `rtsp://***@host/` (docs/wire.md §5.2). */
export const maskCredentials = (text: string): string =>
  replaceCredentials(
    text,
    () => `${hiddenCredential}@`,
    () => hiddenCredential,
  )

export const withoutCredentials = (text: string): string =>
  replaceCredentials(
    text,
    () => '',
    () => '',
  )

/** Puts the credentials of `stored` where `sent` has masks, if both have the same scheme, host and port. */
export const restoreCredentials = (sent: string, stored: string): string => {
  const [before, after] = [URL.parse(withoutCredentials(stored)), URL.parse(withoutCredentials(sent))]
  const isSameHost =
    before !== null && after !== null && before.protocol === after.protocol && before.host === after.host
  if (!isSameHost) return sent
  const values = new Map<string, string>()
  let storedInfo = ''
  replaceCredentials(
    stored,
    (found) => (storedInfo = found),
    (found, name) => {
      values.set(name, found)
      return found
    },
  )
  return replaceCredentials(
    sent,
    (found) => (found !== hiddenCredential ? `${found}@` : storedInfo === '' ? '' : `${storedInfo}@`),
    (found, name) => (found === hiddenCredential ? (values.get(name) ?? '') : found),
  )
}

/** Whether any credential is a mask. */
export const isMasked = (text: string): boolean => {
  let isFound = false
  const look = (found: string): string => {
    isFound ||= found === hiddenCredential
    return found
  }
  replaceCredentials(text, look, look)
  return isFound
}
