/** A box (ISO/IEC 14496-12), with offsets into the searched buffer. */
export type Box = { type: string; start: number; payload: number; end: number }

/** Sibling boxes between `from` and `to`. A box that overruns its parent ends the list. */
export const boxesIn = (bytes: Buffer, from = 0, to = bytes.length): Box[] => {
  const found: Box[] = []
  let at = from
  while (at + 8 <= to) {
    let size = bytes.readUInt32BE(at)
    let header = 8
    if (size === 1 && at + 16 <= to) {
      size = Number(bytes.readBigUInt64BE(at + 8))
      header = 16
    }
    if (size < header || at + size > to) break
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), start: at, payload: at + header, end: at + size })
    at += size
  }
  return found
}

/** A whole box, with its header. */
export const bytesOfBox = (bytes: Buffer, { start, end }: Box): Buffer => bytes.subarray(start, end)

/** The first box at a path of types, as `moov/trak`, below a box or at the top level. */
export const boxAt = (bytes: Buffer, path: string, within?: Box): Box | undefined => {
  let found = within
  for (const type of path.split('/')) {
    found = boxesIn(bytes, found?.payload ?? 0, found?.end ?? bytes.length).find((box) => box.type === type)
    if (found === undefined) return undefined
  }
  return found
}

export const makeBox = (type: string, ...content: Buffer[]): Buffer => {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + content.reduce((sum, part) => sum + part.length, 0), 0)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...content])
}

/** A box with an invalid size, or above the limit. */
export class ImpossibleBox extends Error {}

/** The largest box is a fragment of about a third of a second, so that 16 MiB allow for 380 Mbit/s. */
const maxBoxBytes = 16 * 1024 * 1024

/** Splits a byte stream into whole top-level boxes. Throws ImpossibleBox above `maxBytes`. */
export const createBoxCutter = (maxBytes = maxBoxBytes): ((received: Buffer) => Buffer[]) => {
  let pending: Buffer[] = []
  let length = 0
  let neededBytes = 8
  return (received) => {
    pending.push(received)
    length += received.length
    if (length < neededBytes) return []
    let rest = Buffer.concat(pending)
    const whole: Buffer[] = []
    neededBytes = 8
    while (rest.length >= 8) {
      const size = rest.readUInt32BE(0)
      if (size < 8 || size > maxBytes) throw new ImpossibleBox(`A box of ${size} bytes`)
      if (rest.length < size) {
        neededBytes = size
        break
      }
      whole.push(rest.subarray(0, size))
      rest = rest.subarray(size)
    }
    // Copied, as a slice would keep the whole buffer.
    pending = [whole.length > 0 ? Buffer.from(rest) : rest]
    length = rest.length
    return whole
  }
}
