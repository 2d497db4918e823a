export type AddressKind = 'machine' | 'local' | 'public' | 'unknown'

/**
 * Where an IP address belongs: the server's own machine, a private network (RFC 1918, RFC 4193, link-local), or the
 * internet.
 */
export function addressKindOf(ip: string): AddressKind {
  const address = ip.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  if (address === '') return 'unknown'
  if (address === '::1' || address.startsWith('127.')) return 'machine'
  if (/^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address)) return 'local'
  return /^(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/.test(address) ? 'local' : 'public'
}
