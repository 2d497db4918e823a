import { createAuthorizer, type Authorizer } from './authorization.ts'
import { credentialsOf } from './source.ts'

/** Maps a source's addresses to plain HTTP for ffmpeg and back, as the gateway speaks TLS (docs/decisions.md). */
export type Links = {
  /** The source for ffmpeg's arguments, without its path, query and credentials. */
  first: string
  /** The address that ffmpeg uses; undefined if it isn't HTTP, or too many hosts are known. */
  toGateway: (address: URL) => string | undefined
  toSource: (address: URL) => URL
  isSource: (address: URL) => boolean
  /** Authorizes requests to the address's host only. */
  authorizer: (address: URL) => Authorizer | undefined
}

const maxHosts = 256
const maxPlaylistCharacters = 8 * 1024 * 1024

/** Extensions by which ffmpeg recognizes formats. By that of a picture it would take a demuxer that isn't allowed. */
const knownExtension = /\.(?:flv|h264|hevc|m3u8?|mjpe?g|mkv|mov|mp4|ts|webm)$/i

const hostOf = ({ hostname, port }: URL, defaultPort: number): string =>
  `${hostname}:${port === '' ? defaultPort : port}`

/** A camera may redirect from HTTP to its own HTTPS. */
const upgraded = ({ protocol, hostname, port }: URL): string[] =>
  protocol === 'http:' && port === '' ? [`https://${hostname}`] : []

export const createLinks = (source: URL): Links => {
  const secure = new Set<string>()
  const authorizers = new Map<string, Authorizer>()

  const keepCredentials = (address: URL, origins: readonly string[]): void => {
    const credentials = credentialsOf(address)
    if (credentials === undefined) return
    for (const origin of origins) {
      if (authorizers.size < maxHosts && !authorizers.has(origin))
        authorizers.set(origin, createAuthorizer(credentials))
    }
  }

  const toGateway = (address: URL): string | undefined => {
    const isSecure = address.protocol === 'https:'
    const host = hostOf(address, isSecure ? 443 : 80)
    if (isSecure ? secure.size >= maxHosts && !secure.has(host) : address.protocol !== 'http:') return undefined
    if (isSecure) secure.add(host)
    keepCredentials(address, [address.origin])
    return new URL(`http://${isSecure ? host : address.host}${address.pathname}${address.search}`).href
  }

  keepCredentials(source, [source.origin, ...upgraded(source)])
  const alias = new URL(toGateway(source) ?? 'http://source.invalid')
  alias.pathname = `/source${knownExtension.exec(source.pathname)?.[0] ?? ''}`
  alias.search = ''

  return {
    first: alias.href,
    toGateway,
    toSource: (address) => {
      if (address.href === alias.href) return source
      const host = hostOf(address, 80)
      return secure.has(host) ? new URL(`https://${host}${address.pathname}${address.search}`) : address
    },
    isSource: (address) => address === source,
    authorizer: ({ origin }) => authorizers.get(origin),
  }
}

/** Makes every address absolute and usable by ffmpeg, which doesn't know the playlist's own. Undefined if too long. */
export const relinkPlaylist = (text: string, base: URL, links: Links): string | undefined => {
  let length = 0
  const relink = (link: string): string => {
    const address = link === '' || length > maxPlaylistCharacters ? null : URL.parse(link, base)
    const linked = address === null ? link : (links.toGateway(address) ?? link)
    length += linked.length
    return linked
  }
  const playlist = text
    .split('\n')
    .map((line) => (line.startsWith('#') ? line.replace(/(?<=[:,]URI=")[^"]*/g, relink) : relink(line.trimEnd())))
    .join('\n')
  return length > maxPlaylistCharacters ? undefined : playlist
}
