import type { IncomingHttpHeaders } from 'node:http'

const hopByHop = new Set([
  'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'expect',
])
/** About the transport of the other server's own address, not of this one. */
const ofTheirAddress = new Set(['strict-transport-security', 'alt-svc'])

/** Names that browsers accept only with Secure over HTTPS, and what they are called on plain HTTP meanwhile. */
const renamed = [
  ['__Host-', 'upstream-host-'],
  ['__Secure-', 'upstream-secure-'],
] as const

const listedIn = (connection: string | undefined): Set<string> =>
  new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()))

const theirCookies = (cookie: string): string =>
  cookie
    .split(/;\s*/)
    .map((pair) => {
      const rule = renamed.find(([, ours]) => pair.startsWith(ours))
      return rule === undefined ? pair : rule[0] + pair.slice(rule[1].length)
    })
    .join('; ')

/** A Set-Cookie of the other server as this address can keep it: no Domain; on plain HTTP no Secure, no `__Host-` either. */
export const ourCookie = (setCookie: string, isHttps: boolean): string => {
  const [pair = '', ...attributes] = setCookie.split(/;\s*/)
  const kept = attributes.filter((attribute) => {
    const name = attribute.split('=')[0]?.toLowerCase()
    return name !== 'domain' && (isHttps || (name !== 'secure' && name !== 'partitioned'))
  })
  if (isHttps) return [pair, ...kept].join('; ')
  const rule = renamed.find(([theirs]) => pair.startsWith(theirs))
  const ourPair = rule === undefined ? pair : rule[1] + pair.slice(rule[0].length)
  return [ourPair, ...kept.map((attribute) => attribute.replace(/^samesite=none$/i, 'SameSite=Lax'))].join('; ')
}

type Own = { origin: string; isHttps: boolean }

/**
 * The request as the other server expects it. Host, Origin and Referer become its own only where they were ours, so that its
 * check against foreign pages still sees a foreign page.
 */
export const theirHeaders = (headers: IncomingHttpHeaders, own: Own, upstream: URL): IncomingHttpHeaders => {
  const drop = listedIn(headers.connection)
  // Names of HTTP/2 that begin with a colon are those of its first line.
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith(':') && !hopByHop.has(name) && !drop.has(name))
  const result: IncomingHttpHeaders = { ...Object.fromEntries(kept), host: upstream.host }
  if (headers.origin === own.origin) result.origin = upstream.origin
  if (headers.referer?.startsWith(`${own.origin}/`) === true) {
    result.referer = upstream.origin + headers.referer.slice(own.origin.length)
  }
  if (headers.cookie !== undefined && !own.isHttps) result.cookie = theirCookies(headers.cookie)
  return result
}

/** The answer as this address gives it: cookies that fit, redirects that stay here, the rest untouched. */
export const ourHeaders = (headers: IncomingHttpHeaders, own: Own, upstream: URL): [string, string | string[]][] => {
  const drop = listedIn(headers.connection)
  const result: [string, string | string[]][] = []
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || drop.has(name) || ofTheirAddress.has(name)) continue
    if (name === 'set-cookie') {
      result.push([name, [value].flat().map((cookie) => ourCookie(cookie, own.isHttps))])
    } else if (name === 'location' && typeof value === 'string' && value.startsWith(`${upstream.origin}/`)) {
      result.push([name, value.slice(upstream.origin.length)])
    } else {
      result.push([name, value])
    }
  }
  return result
}
