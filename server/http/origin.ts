/** The URL of an origin such as `https://host:8443`, without a path; undefined if the text is none. */
export const originUrlOf = (text: string): URL | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/') return undefined
  return url.search + url.hash + url.username + url.password === '' ? url : undefined
}
