import { takesCredentials } from './credential-sources.ts'

/** Login and password of a camera, not percent-encoded. */
export interface Credentials {
  readonly login: string
  readonly password: string
}

interface Parts {
  /** With `://`. */
  readonly scheme: string
  /** The text before the `@`, as written; null if there is none. */
  readonly userInfo: string | null
  readonly rest: string
}

const hidden = '***'
const noCredentials: Credentials = { login: '', password: '' }

/** Null for text that isn't a URL with an authority. */
function partsOf(url: string): Parts | null {
  const [, scheme, afterScheme = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(url.trim()) ?? []
  if (scheme === undefined) return null
  const authority = /^[^/?#]*/.exec(afterScheme)?.[0] ?? ''
  // A password typed without percent-encoding may contain characters that end an authority: `rtsp://me:a/b@camera/1`.
  const isHost = /^(?:\[[\da-f:.]*\]|[^:@]*)(?::\d*)?$/i.test(authority)
  const atSign = isHost ? -1 : (authority.includes('@') ? authority : afterScheme).lastIndexOf('@')
  return {
    scheme,
    userInfo: atSign === -1 ? null : afterScheme.slice(0, atSign),
    rest: afterScheme.slice(atSign + 1),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function credentialsIn(userInfo: string): Credentials {
  const colon = userInfo.indexOf(':')
  const [login, password] = colon === -1 ? [userInfo, ''] : [userInfo.slice(0, colon), userInfo.slice(colon + 1)]
  return { login: decoded(login), password: decoded(password) }
}

const userInfoOf = ({ login, password }: Credentials) =>
  `${encodeURIComponent(login)}${password === '' ? '' : `:${encodeURIComponent(password)}`}@`

const isSame = (one: Credentials, other: Credentials) => one.login === other.login && one.password === other.password
const isNone = (credentials: Credentials) => isSame(credentials, noCredentials)

/** Whether a URL has `***` in place of its credentials (docs/wire.md §5.2). */
export const hasHiddenCredentials = (url: string): boolean => partsOf(url)?.userInfo?.includes(hidden) === true

/** A URL without its credentials, and those; null if it has none, or hidden ones. */
export function splitCredentials(url: string): { url: string; credentials: Credentials } | null {
  const parts = partsOf(url)
  if (parts?.userInfo == null || hasHiddenCredentials(url)) return null
  return { url: `${parts.scheme}${parts.rest}`, credentials: credentialsIn(parts.userInfo) }
}

/** A URL with `***` in place of its password. */
export function withHiddenPassword(url: string): string {
  const { scheme, userInfo, rest } = partsOf(url) ?? { scheme: '', userInfo: null, rest: '' }
  if (userInfo === null || !userInfo.includes(':')) return url
  return `${scheme}${userInfo.slice(0, userInfo.indexOf(':'))}:${hidden}@${rest}`
}

/** Whether a URL contains credentials, which take precedence over the fields beside it. */
export const hasOwnCredentials = (url: string): boolean => splitCredentials(url) !== null

/** Whether a URL has credentials with characters that end an authority. */
const mustBeEncoded = (url: string): boolean => /[/?#@\s]/.test(partsOf(url)?.userInfo ?? '')

/**
 * A URL with credentials: its own, percent-encoded if necessary; else the given ones; without these it stays as it is,
 * perhaps with hidden ones.
 */
export function withCredentials(url: string, credentials: Credentials): string {
  const trimmed = url.trim()
  const parts = partsOf(trimmed)
  if (parts === null) return trimmed
  const { scheme, userInfo, rest } = parts
  if (hasOwnCredentials(trimmed))
    return mustBeEncoded(trimmed) ? `${scheme}${userInfoOf(credentialsIn(userInfo ?? ''))}${rest}` : trimmed
  return isNone(credentials) ? trimmed : `${scheme}${userInfoOf(credentials)}${rest}`
}

/** A source with these credentials instead of its own or hidden ones, without any if these are empty. */
export function replaceCredentials(source: string, credentials: Credentials): string {
  const parts = takesCredentials(source) ? partsOf(source) : null
  return parts === null ? source : withCredentials(`${parts.scheme}${parts.rest}`, credentials)
}

export interface Sources extends Credentials {
  readonly streamSource: string
  readonly substreamSource: string
  /** The URLs as they were saved or entered, where the fields alone would make others (`p%24` of `p$`). */
  readonly originalSource?: string
  readonly originalSubstream?: string
}

type Originals = Pick<Sources, 'originalSource' | 'originalSubstream'>

const originalOf = { streamSource: 'originalSource', substreamSource: 'originalSubstream' } as const

/** Whether a URL is still in the fields, apart from how its credentials are percent-encoded. */
function isUnchanged(original: string, source: string, credentials: Credentials): boolean {
  const split = splitCredentials(original)
  if (original === source) return split !== null || isNone(credentials)
  return split !== null && split.url === source && isSame(split.credentials, credentials)
}

const fullSource = (source: string, credentials: Credentials, original?: string): string =>
  original !== undefined && isUnchanged(original, source, credentials) ? original : withCredentials(source, credentials)

/** The URLs of a form with their credentials, as the server gets them: as they were, unless the fields were changed. */
export const fullSources = ({ streamSource, substreamSource, login, password, ...original }: Sources) => ({
  streamSource: fullSource(streamSource, { login, password }, original.originalSource),
  substreamSource: fullSource(substreamSource, { login, password }, original.originalSubstream),
})

/**
 * The form fields for two saved URLs. The credentials of the first move to the fields `login` and `password`, unless
 * the second has others; in that case both URLs stay whole.
 */
export function sourceFields(streamSource: string, substreamSource: string): Sources {
  const main = splitCredentials(streamSource)
  const unsplit = { streamSource, substreamSource, ...noCredentials }
  const original = { originalSource: streamSource, originalSubstream: substreamSource }
  if (main === null) return withOriginal(unsplit, original)
  const sub = splitCredentials(substreamSource)
  const fields = { ...main.credentials, streamSource: main.url, substreamSource: sub?.url ?? substreamSource }
  const isShared = fullSources({ ...fields, ...original }).substreamSource === substreamSource
  return withOriginal(isShared ? fields : unsplit, original)
}

/** The fields with those originals that they wouldn't make. */
function withOriginal(fields: Sources, { originalSource, originalSubstream }: Required<Originals>): Sources {
  const { streamSource, substreamSource } = fullSources(fields)
  return {
    ...fields,
    ...(streamSource === originalSource ? {} : { originalSource }),
    ...(substreamSource === originalSubstream ? {} : { originalSubstream }),
  }
}

/** The fields after a URL was typed or pasted: its credentials move to their own fields, unless those hold others. */
export function fieldsAfterEntry(
  field: 'streamSource' | 'substreamSource',
  typed: string,
  current: Credentials & Originals,
): Partial<Sources> {
  const split = splitCredentials(typed)
  if (split === null || !(isNone(current) || isSame(current, split.credentials))) return { [field]: typed }
  const { url, credentials } = split
  const isRestored = withCredentials(url, credentials) === typed.trim() && current[originalOf[field]] === undefined
  const isKept = !isRestored && !mustBeEncoded(typed)
  return { [field]: url, ...credentials, ...(isKept ? { [originalOf[field]]: typed.trim() } : {}) }
}
