/** Login and password of a camera, as a person types them. */
export interface Credentials {
  readonly login: string
  readonly password: string
}

interface Parts {
  readonly scheme: string
  /** What stands before the `@`, as it stands there; null where there is none. */
  readonly userInfo: string | null
  readonly rest: string
}

const hidden = '***'
const none: Credentials = { login: '', password: '' }

/** Null for an address that can't have credentials. */
function partsOf(address: string): Parts | null {
  const [, scheme, after = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(address.trim()) ?? []
  if (scheme === undefined) return null
  const authority = /^[^/?#]*/.exec(after)?.[0] ?? ''
  // Typed plainly, a password may hold what ends an authority: `rtsp://me:a/b@camera/1`.
  const isHost = /^(?:\[[\da-f:.]*\]|[^:@]*)(?::\d*)?$/i.test(authority)
  const at = isHost ? -1 : authority.includes('@') ? authority.lastIndexOf('@') : after.lastIndexOf('@')
  return { scheme, userInfo: at === -1 ? null : after.slice(0, at), rest: after.slice(at + 1) }
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
const isNone = (credentials: Credentials) => isSame(credentials, none)

/** Whether an address shows `***` where its credentials are (docs/wire.md §5.2). */
export const hasHiddenCredentials = (address: string): boolean => partsOf(address)?.userInfo?.includes(hidden) === true

/** An address without its credentials, and those; null where it has none, or hidden ones. */
export function parted(address: string): { address: string; credentials: Credentials } | null {
  const parts = partsOf(address)
  if (parts?.userInfo == null || hasHiddenCredentials(address)) return null
  return { address: `${parts.scheme}${parts.rest}`, credentials: credentialsIn(parts.userInfo) }
}

/** Whether an address has credentials that the fields beside it don't replace. */
export const hasOwnCredentials = (address: string): boolean => parted(address) !== null

/** An address with credentials: its own, those that are typed, or the hidden ones. */
export function joined(address: string, credentials: Credentials): string {
  const trimmed = address.trim()
  const parts = partsOf(trimmed)
  if (parts === null) return trimmed
  const { scheme, userInfo, rest } = parts
  if (hasOwnCredentials(trimmed))
    return /[/?#@\s]/.test(userInfo ?? '') ? `${scheme}${userInfoOf(credentialsIn(userInfo ?? ''))}${rest}` : trimmed
  return isNone(credentials) ? trimmed : `${scheme}${userInfoOf(credentials)}${rest}`
}

export interface Sources extends Credentials {
  readonly streamSource: string
  readonly substreamSource: string
}

/** The addresses of a form as a server is given them. */
export const fullSources = ({ streamSource, substreamSource, ...credentials }: Sources) => ({
  streamSource: joined(streamSource, credentials),
  substreamSource: joined(substreamSource, credentials),
})

/**
 * The fields of two addresses: what both have for credentials stands apart where putting it back gives the very same
 * addresses.
 */
export function sourceFields(streamSource: string, substreamSource: string): Sources {
  const main = parted(streamSource)
  const whole = { streamSource, substreamSource, ...none }
  if (main === null) return whole
  const sub = parted(substreamSource)
  const fields = { ...main.credentials, streamSource: main.address, substreamSource: sub?.address ?? substreamSource }
  const full = fullSources(fields)
  return full.streamSource === streamSource && full.substreamSource === substreamSource ? fields : whole
}

/**
 * What changes once a whole address was typed or pasted: its credentials go to their fields, unless others stand there.
 */
export function takenApart(
  field: 'streamSource' | 'substreamSource',
  typed: string,
  current: Credentials,
): Partial<Sources> {
  const found = parted(typed)
  if (found === null || !(isNone(current) || isSame(current, found.credentials))) return { [field]: typed }
  return { [field]: found.address, ...found.credentials }
}
