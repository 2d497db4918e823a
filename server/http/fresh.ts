import type { FastifyReply } from 'fastify'
import { crc32 } from 'node:zlib'

/** A version of bytes, for `isKept`. */
export const versionOf = (bytes: Uint8Array): string => `${bytes.length.toString(36)}-${crc32(bytes).toString(36)}`

/**
 * For footage, which a browser may keep but asks about each time it is shown: whoever sits there after somebody signed
 * out sees none of it, and who goes back in the archive is sent nothing twice. True where the visitor has this version:
 * the answer is then 304, without a body.
 */
export const isKept = (reply: FastifyReply, version: string): boolean => {
  const tag = `"${version}"`
  reply.header('cache-control', 'private, no-cache').header('etag', tag)
  const asked = reply.request.headers['if-none-match'] ?? ''
  const had = asked.split(',').map((one) => one.trim().replace(/^W\//, ''))
  const isSame = had.includes(tag) || had.includes('*')
  if (isSame) reply.code(304)
  return isSame
}

/**
 * Has a browser drop what it kept of this server, where it heeds that: over HTTPS, and on this machine. To be called
 * where a session of the browser that asks ends. What it kept it would ask about anyway; this takes it off the disk.
 */
export const dropKept = (reply: FastifyReply): void => {
  reply.header('clear-site-data', '"cache"')
}
