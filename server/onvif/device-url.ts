const usualPath = '/onvif/device_service'

/** Where a camera is asked: a whole address, or a host with or without a port. Undefined if it is neither. */
export const deviceUrlOf = (typed: string): URL | undefined => {
  const text = typed.trim()
  if (/^[/\\]/.test(text) || /\s/.test(text)) return undefined
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === ''
  if (!isPlain || url.hostname === '') return undefined
  if (url.pathname === '/' && url.search === '') url.pathname = usualPath
  return url
}
