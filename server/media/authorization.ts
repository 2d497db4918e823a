import { createHash, randomBytes } from 'node:crypto'

export type Credentials = { username: string; password: string }

/** A value of the header `Authorization`, and the nonce that it answers. */
export type Authorization = { value: string; nonce: string }

export type Authorizer = {
  /** Undefined before the first challenge, and after the credentials were rejected. */
  authorize: (method: string, uri: string) => Authorization | undefined
  /** Handles the status and the `WWW-Authenticate` headers of an answer. Returns whether to send the request again. */
  answered: (status: number, challenges: readonly string[], sent: Authorization | undefined) => boolean
}

type Challenge = { scheme: string; parameters: ReadonlyMap<string, string> }
type Digest = {
  hash: (text: string) => string
  strength: number
  isSession: boolean
  realm: string
  nonce: string
  optional: string
  hasQop: boolean
  isStale: boolean
}

const maxChallengeBytes = 8192
const word = /([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g

/** Parses `Digest realm="a", nonce="b", Basic realm="a"`: a word without a value begins a challenge. */
const parseChallenges = (header: string): Challenge[] => {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = []
  for (const [, name = '', quoted, plain] of header.slice(0, maxChallengeBytes).matchAll(word)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: new Map() })
    else challenges.at(-1)?.parameters.set(name.toLowerCase(), value)
  }
  return challenges
}

const algorithms = new Map([
  ['md5', { name: 'md5', strength: 1 }],
  ['sha-256', { name: 'sha256', strength: 2 }],
])

const quote = (text: string): string => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`

const digestOf = ({ scheme, parameters }: Challenge): Digest | undefined => {
  if (scheme !== 'digest') return undefined
  const algorithm = parameters.get('algorithm')
  const [, base = '', session] = /^(.*?)(-sess)?$/.exec((algorithm ?? 'md5').toLowerCase()) ?? []
  const known = algorithms.get(base)
  const qop = parameters.get('qop')
  const hasQop = qop !== undefined && qop.split(',').some((each) => each.trim().toLowerCase() === 'auth')
  const nonce = parameters.get('nonce')
  if (known === undefined || nonce === undefined || (qop !== undefined && !hasQop)) return undefined
  const opaque = parameters.get('opaque')
  return {
    hash: (text) => createHash(known.name).update(text, 'latin1').digest('hex'),
    strength: known.strength,
    isSession: session !== undefined,
    realm: parameters.get('realm') ?? '',
    nonce,
    optional:
      (algorithm === undefined ? '' : `, algorithm=${algorithm}`) +
      (opaque === undefined ? '' : `, opaque=${quote(opaque)}`),
    hasQop,
    isStale: parameters.get('stale')?.toLowerCase() === 'true',
  }
}

/** UTF-8, one character for each byte. */
const asBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/**
 * Answers the challenges of one server: Digest (RFC 7616) rather than Basic (RFC 7617). It repeats no rejected
 * password, as cameras lock out a client that does. Each character of a header value stands for one byte.
 */
export const createAuthorizer = (credentials: Credentials): Authorizer => {
  const [username, password] = [asBytes(credentials.username), asBytes(credentials.password)]
  const basic: Authorization = { value: `Basic ${btoa(`${username}:${password}`)}`, nonce: '' }
  let challenge: Digest | 'basic' | undefined
  let nonceCount = 0
  let isRejected = false
  let isAccepted = false

  const answer = (digest: Digest, method: string, uri: string): Authorization => {
    const { hash, nonce, realm } = digest
    nonceCount += 1
    const cnonce = randomBytes(16).toString('hex')
    const nc = nonceCount.toString(16).padStart(8, '0')
    const plain = hash(`${username}:${realm}:${password}`)
    const secret = digest.isSession ? hash(`${plain}:${nonce}:${cnonce}`) : plain
    const proof = digest.hasQop ? `${nonce}:${nc}:${cnonce}:auth` : nonce
    const response = hash(`${secret}:${proof}:${hash(`${method}:${uri}`)}`)
    const value =
      `Digest username=${quote(username)}, realm=${quote(realm)}, nonce=${quote(nonce)}, uri=${quote(uri)}, ` +
      `response="${response}"${digest.optional}` +
      (digest.hasQop || digest.isSession ? `, cnonce="${cnonce}"` : '') +
      (digest.hasQop ? `, qop=auth, nc=${nc}` : '')
    return { value, nonce }
  }

  /** A nonce may expire without `stale`: the server has accepted the credentials before and offers another nonce. */
  const isRenewed = ({ nonce, isStale }: Digest, sent: Authorization): boolean =>
    nonce !== sent.nonce && (isStale || isAccepted)

  return {
    authorize: (method, uri) => {
      if (isRejected || challenge === undefined) return undefined
      return challenge === 'basic' ? basic : answer(challenge, method, uri)
    },
    answered: (status, headers, sent) => {
      if (status !== 401) {
        isAccepted ||= sent !== undefined && status < 300
        return false
      }
      const offered = headers.flatMap(parseChallenges)
      const [digest] = offered.flatMap((each) => digestOf(each) ?? []).toSorted((a, b) => b.strength - a.strength)
      const hasBasic = offered.some(({ scheme }) => scheme === 'basic')
      if (sent !== undefined) isRejected ||= digest === undefined || !isRenewed(digest, sent)
      if (isRejected || (digest === undefined && !hasBasic)) return false
      if (digest !== undefined && (typeof challenge !== 'object' || challenge.nonce !== digest.nonce)) nonceCount = 0
      challenge = digest ?? 'basic'
      return true
    },
  }
}
