import { createAuthorizer, type Authorizer } from './authorization.ts'
import { credentialsOf } from './source.ts'

/** Maps the URLs of a source to plain HTTP for ffmpeg and back, as the gateway speaks TLS (docs/decisions.md). */
export type Links = {
  /** The URL of the source for ffmpeg's arguments, without its path, query and credentials. */
  first: string
  /** The URL that ffmpeg uses; undefined if it isn't HTTP or HTTPS, or if too many hosts are known. */
  toGateway: (url: URL) => string | undefined
  toSource: (url: URL) => URL
  /** Whether a URL of `toSource` is that of the source itself. */
  isSource: (url: URL) => boolean
  /** Authorizes requests to the host of the URL; undefined without credentials for it. */
  authorizer: (url: URL) => Authorizer | undefined
}

const maxHosts = 256
const maxPlaylistCharacters = 8 * 1024 * 1024

/** Extensions by which ffmpeg recognizes formats. That of a picture would select a demuxer that isn't allowed. */
const knownExtension = /\.(?:flv|h264|hevc|m3u8?|mjpe?g|mkv|mov|mp4|ts|webm)$/i

const hostOf = ({ hostname, port }: URL, defaultPort: number): string =>
  `${hostname}:${port === '' ? defaultPort : port}`

/** The HTTPS origin to which a camera may redirect from HTTP. */
const upgradedOrigin = ({ protocol, hostname, port }: URL): string[] =>
  protocol === 'http:' && port === '' ? [`https://${hostname}`] : []

export const createLinks = (source: URL): Links => {
  /** The hosts, with ports, that ffmpeg reaches by HTTP and the gateway by HTTPS. */
  const secure = new Set<string>()
  const authorizers = new Map<string, Authorizer>()

  const keepCredentials = (url: URL, origins: readonly string[]): void => {
    const credentials = credentialsOf(url)
    if (credentials === undefined) return
    for (const origin of origins) {
      if (authorizers.size < maxHosts && !authorizers.has(origin))
        authorizers.set(origin, createAuthorizer(credentials))
    }
  }

  const toGateway = (url: URL): string | undefined => {
    const isSecure = url.protocol === 'https:'
    const host = hostOf(url, isSecure ? 443 : 80)
    if (isSecure ? secure.size >= maxHosts && !secure.has(host) : url.protocol !== 'http:') return undefined
    if (isSecure) secure.add(host)
    keepCredentials(url, [url.origin])
    return new URL(`http://${isSecure ? host : url.host}${url.pathname}${url.search}`).href
  }

  keepCredentials(source, [source.origin, ...upgradedOrigin(source)])
  const alias = new URL(toGateway(source) ?? 'http://source.invalid')
  alias.pathname = `/source${knownExtension.exec(source.pathname)?.[0] ?? ''}`
  alias.search = ''

  return {
    first: alias.href,
    toGateway,
    toSource: (url) => {
      if (url.href === alias.href) return source
      const host = hostOf(url, 80)
      return secure.has(host) ? new URL(`https://${host}${url.pathname}${url.search}`) : url
    },
    isSource: (url) => url === source,
    authorizer: ({ origin }) => authorizers.get(origin),
  }
}

/** Makes every URL of a playlist absolute, and one that ffmpeg can use. Undefined if the result is too long. */
export const relinkPlaylist = (text: string, base: URL, links: Links): string | undefined => {
  let length = 0
  const relink = (link: string): string => {
    const url = link === '' || length > maxPlaylistCharacters ? null : URL.parse(link, base)
    const linked = url === null ? link : (links.toGateway(url) ?? link)
    length += linked.length
    return linked
  }
  const playlist = text
    .split('\n')
    .map((line) => (line.startsWith('#') ? line.replace(/(?<=[:,]URI=")[^"]*/g, relink) : relink(line.trimEnd())))
    .join('\n')
  return length > maxPlaylistCharacters ? undefined : playlist
}
