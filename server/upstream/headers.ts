import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
  'content-length',
])

/** Headers about the client, which only this server may set, and headers that override path or method. */
const claims = new RegExp(
  `^(?:${[
    'x-forwarded(?:-.*)?',
    'forwarded',
    'x-real-ip',
    'x-(?:cluster-)?client-ip',
    'x-originating-ip',
    'x-remote-(?:ip|addr)',
    'true-client-ip',
    'cf-connecting-ip',
    'fastly-client-ip',
    'x-rewrite-url',
    'x-original-(?:url|host|forwarded-for)',
    'x-(?:http-)?method(?:-override)?',
    'proxy',
  ].join('|')})$`,
)

/** Headers about the upstream's own address and transport, and those that open responses to other sites. */
const ofUpstream = /^(?:strict-transport-security|alt-svc|server|x-powered-by|access-control-.*)$/

/** Headers of which only the first counts. */
const single = new Set([
  'age',
  'content-type',
  'content-location',
  'content-range',
  'content-disposition',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
])

/** Cookie prefixes that browsers accept only over HTTPS, and what replaces them over HTTP. */
const cookiePrefixes = [
  ['__Host-', 'upstream-host-'],
  ['__Secure-', 'upstream-secure-'],
] as const

const listedIn = (connection: string | string[] | undefined): Set<string> =>
  new Set(
    [connection ?? []]
      .flat()
      .join(',')
      .split(',')
      .map((name) => name.trim().toLowerCase()),
  )

/** The cookies of the upstream under their own names. */
const upstreamCookies = (cookie: string): string =>
  cookie
    .split(/;\s*/)
    .map((pair) => {
      const rule = cookiePrefixes.find(([, ours]) => pair.startsWith(ours))
      return rule === undefined ? pair : rule[0] + pair.slice(rule[1].length)
    })
    .join('; ')

/** Rewrites a Set-Cookie for this address: without Domain, and over HTTP without Secure and `__Host-`. */
export const rewriteCookie = (setCookie: string, isHttps: boolean): string => {
  const [pair = '', ...attributes] = setCookie.split(/;\s*/)
  const kept = attributes.filter((attribute) => {
    const name = attribute.split('=')[0]?.toLowerCase()
    return name !== 'domain' && (isHttps || (name !== 'secure' && name !== 'partitioned'))
  })
  if (isHttps) return [pair, ...kept].join('; ')
  const rule = cookiePrefixes.find(([theirs]) => pair.startsWith(theirs))
  const ourPair = rule === undefined ? pair : rule[1] + pair.slice(rule[0].length)
  return [ourPair, ...kept.map((attribute) => attribute.replace(/^samesite=none$/i, 'SameSite=Lax'))].join('; ')
}

type Fields = Record<string, string | string[]>
type OwnHeaders = Record<string, string | number | string[] | undefined>

/** Replaces this server in Host, Origin and Referer. Others stay, so that the upstream recognizes foreign pages. */
export const requestHeaders = (request: FastifyRequest, upstream: URL): Fields => {
  const { headers, protocol, host } = request
  const own = `${protocol}://${host}`
  const drop = listedIn(headers.connection)
  const result: Fields = {}
  for (const [name, value] of Object.entries(headers)) {
    // HTTP/2 pseudo-headers begin with a colon; CGI reads x_real_ip as x-real-ip.
    const isOurs = name.startsWith(':') || name.includes('_') || hopByHop.has(name) || claims.test(name)
    if (value !== undefined && !isOurs && !drop.has(name)) result[name] = value
  }
  result['host'] = upstream.host
  if (headers.origin === own) result['origin'] = upstream.origin
  if (headers.referer?.startsWith(`${own}/`) === true) {
    result['referer'] = upstream.origin + headers.referer.slice(own.length)
  }
  if (headers.cookie !== undefined && protocol !== 'https') result['cookie'] = upstreamCookies(headers.cookie)
  // The nearest hop is last; addresses before the first untrusted one aren't verified.
  result['x-forwarded-for'] = (request.ips ?? [request.ip]).toReversed().join(', ')
  result['x-forwarded-proto'] = protocol
  result['x-forwarded-host'] = host
  return result
}

/** Rewrites a redirect to the upstream into one to this server; a path never becomes a host. Undefined if invalid. */
export const rewriteLocation = (location: string, requestUrl: URL): string | undefined => {
  const plain = location.replace(/[\t\r\n]/g, '').trim()
  const whole = URL.parse(plain, requestUrl)
  const isHost = /^[/\\]{2}/.test(plain) && whole?.origin !== requestUrl.origin
  const url = isHost ? URL.parse(plain.replace(/^[/\\]+/, '/'), requestUrl) : whole
  if (url === null) return undefined
  return url.origin === requestUrl.origin ? url.pathname.replace(/^\/+/, '/') + url.search + url.hash : location
}

/**
 * The headers of a response. Those that this server has set (`own`), which protect browsers, win over the upstream's;
 * both content security policies apply. `requestUrl`: the URL at the upstream.
 */
export const responseHeaders = (
  headers: IncomingHttpHeaders,
  own: OwnHeaders,
  requestUrl: URL,
  isHttps: boolean,
): Fields => {
  const drop = listedIn(headers.connection)
  const result: Fields = {}
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined) result[name] = typeof value === 'number' ? String(value) : value
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || drop.has(name) || ofUpstream.test(name)) continue
    const texts = [value].flat()
    const text = single.has(name) ? (texts[0] ?? '') : texts.join(', ')
    if (name === 'set-cookie') {
      result[name] = texts.map((cookie) => rewriteCookie(cookie, isHttps))
    } else if (name === 'location') {
      const location = rewriteLocation(text, requestUrl)
      if (location !== undefined) result[name] = location
    } else if (name === 'content-security-policy') {
      result[name] = [result[name] ?? [], text].flat().join(', ')
    } else if (result[name] === undefined) {
      result[name] = text
    }
  }
  return result
}
