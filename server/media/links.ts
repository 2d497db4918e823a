/** Maps a source's addresses to plain HTTP for ffmpeg and back, as the gateway speaks TLS (docs/decisions.md). */
export type Links = {
  /** For ffmpeg; undefined if it isn't HTTP, or too many hosts are known. */
  inward: (address: URL) => string | undefined
  outward: (address: URL) => URL
}

const mostHosts = 256

const hostOf = ({ hostname, port }: URL, defaultPort: number): string =>
  `${hostname}:${port === '' ? defaultPort : port}`

export const createLinks = (): Links => {
  const secure = new Set<string>()
  return {
    inward: (address) => {
      if (address.protocol === 'http:') return address.href
      const host = hostOf(address, 443)
      if (address.protocol !== 'https:' || (secure.size >= mostHosts && !secure.has(host))) return undefined
      secure.add(host)
      const { username, password, pathname, search } = address
      const userInfo = username === '' && password === '' ? '' : `${username}:${password}@`
      return `http://${userInfo}${host}${pathname}${search}`
    },
    outward: (address) => {
      const host = hostOf(address, 80)
      return secure.has(host) ? new URL(`https://${host}${address.pathname}${address.search}`) : address
    },
  }
}

const isSecureLink = (link: string): boolean => /^(?:https:)?\/\//i.test(link)

export const relinkPlaylist = (text: string, base: URL, links: Links): string => {
  const relink = (link: string): string => {
    const address = isSecureLink(link) ? URL.parse(link, base) : null
    return address === null ? link : (links.inward(address) ?? link)
  }
  return text
    .split('\n')
    .map((line) => (line.startsWith('#') ? line.replace(/(?<=[:,]URI=")[^"]*/g, relink) : relink(line.trimEnd())))
    .join('\n')
}
