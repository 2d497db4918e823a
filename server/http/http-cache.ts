import type { FastifyReply } from 'fastify'
import { crc32 } from 'node:zlib'

export const versionOf = (bytes: Uint8Array): string => `${bytes.length.toString(36)}-${crc32(bytes).toString(36)}`

/** Footage is revalidated each time, so that it isn't shown after signing out. True: 304 without a body. */
export const isNotModified = (reply: FastifyReply, version: string): boolean => {
  const tag = `"${version}"`
  reply.header('cache-control', 'private, no-cache').header('etag', tag)
  const asked = reply.request.headers['if-none-match'] ?? ''
  const had = asked.split(',').map((one) => one.trim().replace(/^W\//, ''))
  const isSame = had.includes(tag) || had.includes('*')
  if (isSame) reply.code(304)
  return isSame
}

/** Clears the browser's cache at the end of a session; browsers heed it over HTTPS and on loopback. */
export const clearSiteData = (reply: FastifyReply): void => {
  reply.header('clear-site-data', '"cache"')
}
