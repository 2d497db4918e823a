/**
 * The addresses of one source, as it has them and as ffmpeg is given them: all of plain HTTP, since the gateway speaks TLS in its
 * place and remembers with whom. So ffmpeg needs no protocol that could leave by itself.
 */
export type Links = {
  /** As ffmpeg is given it; undefined where it is not of HTTP, or more hosts are named than are remembered. */
  inward: (address: URL) => string | undefined
  /** Where an address that ffmpeg asks for leads to. */
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

/** An HLS playlist with every secure address in it as ffmpeg is to have it; `base` is where it came from. */
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
