import { createHash } from 'node:crypto'

export type GuardOptions = {
  username: string
  password: string
  /** `basic`, or the announced algorithm of Digest; '' announces none. */
  kind: string
  qop?: string
  realm?: string
  /** For how many requests a nonce is valid. */
  uses?: number
  /** Whether an expired nonce is answered with `stale`. */
  sendsStale?: boolean
}

export type Guard = {
  /** Undefined if the request is authorized, else the value of `WWW-Authenticate`. */
  check: (method: string, uri: string, authorization: string | undefined) => string | undefined
  /** The outcome of each request: `asked` for a password, `wrong`, `stale` or `passed`. */
  seen: string[]
}

const asBytes = (text: string): string => Buffer.from(text).toString('latin1')

export const digestParameters = (authorization: string): Map<string, string> =>
  new Map(
    [...authorization.slice('Digest '.length).matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)].map(
      ([, name = '', quoted, plain = '']) => [name, quoted?.replaceAll(/\\(.)/g, '$1') ?? plain],
    ),
  )

/** The response by RFC 7616 for the parameters of an `Authorization`. */
export const wantedResponse = (
  method: string,
  given: ReadonlyMap<string, string>,
  { username, password, kind }: Pick<GuardOptions, 'username' | 'password' | 'kind'>,
): string => {
  const hash = (...parts: (string | undefined)[]) =>
    createHash(/^sha-256/i.test(kind) ? 'sha256' : 'md5')
      .update(parts.join(':'), 'latin1')
      .digest('hex')
  const plain = hash(asBytes(username), given.get('realm'), asBytes(password))
  const secret = /-sess$/i.test(kind) ? hash(plain, given.get('nonce'), given.get('cnonce')) : plain
  const proof = given.has('qop') ? [given.get('nc'), given.get('cnonce'), given.get('qop')] : []
  return hash(secret, given.get('nonce'), ...proof, hash(method, given.get('uri')))
}

/** Requires a password as cameras do. */
export const createGuard = (options: GuardOptions): Guard => {
  const { username, password, kind, qop, realm = 'IP "Camera"', uses = Infinity, sendsStale = true } = options
  const seen: string[] = []
  let nonces = 0
  let used = 0
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const challenge = (isStale = false): string => {
    if (kind === 'basic') return 'Basic realm="Camera"'
    nonces += 1
    used = 0
    return [
      `Digest realm="${realm.replaceAll('"', String.raw`\"`)}"`,
      `nonce="nonce-${nonces}"`,
      ...(kind === '' ? [] : [`algorithm=${kind}`]),
      ...(qop === undefined ? [] : [`qop="${qop}"`, 'opaque="xyz"']),
      ...(isStale && sendsStale ? ['stale=true'] : []),
    ].join(', ')
  }
  const judge = (method: string, uri: string, authorization: string | undefined): string => {
    if (authorization === undefined) return 'asked'
    if (kind === 'basic') return authorization === basic ? 'passed' : 'wrong'
    const given = digestParameters(authorization)
    const isRight =
      authorization.startsWith('Digest ') &&
      given.get('uri') === uri &&
      given.get('username') === asBytes(username) &&
      given.get('realm') === realm &&
      given.get('qop') === (qop === undefined ? undefined : 'auth') &&
      given.get('opaque') === (qop === undefined ? undefined : 'xyz') &&
      given.get('response') === wantedResponse(method, given, options)
    if (!isRight) return 'wrong'
    if (given.get('nonce') !== `nonce-${nonces}` || used >= uses) return 'stale'
    used += 1
    return qop === undefined || Number.parseInt(given.get('nc') ?? '', 16) === used ? 'passed' : 'wrong'
  }
  return {
    seen,
    check: (method, uri, authorization) => {
      const verdict = judge(method, uri, authorization)
      seen.push(verdict)
      return verdict === 'passed' ? undefined : challenge(verdict === 'stale')
    },
  }
}
