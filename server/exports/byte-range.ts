export type ByteRange = { from: number; to: number }

/**
 * The range of a Range header, `to` exclusive (RFC 9110 §14). Undefined if all bytes are to be sent, as for several
 * ranges or another unit; `none` if the file has none of the range.
 */
export const byteRange = (header: string | undefined, bytes: number): ByteRange | 'none' | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return Number(last) === 0 ? 'none' : { from: Math.max(0, bytes - Number(last)), to: bytes }
  const [from, to] = [Number(first), last === '' ? bytes : Math.min(bytes, Number(last) + 1)]
  if (last !== '' && Number(last) < from) return undefined
  return from >= bytes ? 'none' : { from, to }
}
