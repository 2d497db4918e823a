import type { FastifyReply } from 'fastify'
import { crc32 } from 'node:zlib'

/** For an ETag. */
export const versionOf = (bytes: Uint8Array): string => `${bytes.length.toString(36)}-${crc32(bytes).toString(36)}`

/**
 * Sets ETag and cache headers; true: the browser has this version, answer 304 without a body. Browsers must revalidate
 * footage each time, so that nobody sees it after signing out.
 */
export const isNotModified = (reply: FastifyReply, version: string): boolean => {
  const tag = `"${version}"`
  reply.header('cache-control', 'private, no-cache').header('etag', tag)
  const cached = (reply.request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  const isSame = cached.includes(tag) || cached.includes('*')
  if (isSame) reply.code(304)
  return isSame
}

/** Clears the browser's cache at the end of a session. Browsers do so only over HTTPS and on loopback. */
export const clearSiteData = (reply: FastifyReply): void => {
  reply.header('clear-site-data', '"cache"')
}
