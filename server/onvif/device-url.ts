const usualPath = '/onvif/device_service'

/** The URL of a device service, from a URL or a host with or without a port. Undefined for anything else. */
export const deviceUrlOf = (typed: string): URL | undefined => {
  const text = typed.trim()
  if (/^[/\\]/.test(text) || /\s/.test(text)) return undefined
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === ''
  if (!isPlain || url.hostname === '') return undefined
  if (url.pathname === '/' && url.search === '') url.pathname = usualPath
  return url
}
