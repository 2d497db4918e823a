import { boxAt, boxesIn, type Box } from './boxes.ts'

/**
 * Times in units of the track. `at`: its position from the start of the moof; `offset`: presentation minus decode time.
 */
export type Sample = { at: number; size: number; duration: number; offset: number; isSync: boolean }

/** One track of a fragment. */
export type TrackSamples = { id: number; decodeTime: number; samples: Sample[] }

/** Sample flag: not a sync sample (ISO/IEC 14496-12, 8.8.3). */
const notSync = 0x10000
/** More than a minute at any frame rate. Limits the count in a box without a row for each sample. */
const maxSamples = 100_000

/**
 * The rows of a trun (ISO/IEC 14496-12, 8.8.8): their number, the position of the first and the length of each.
 * `hasDataOffset`: where the data of the first is comes before them.
 */
export const rowsIn = (
  bytes: Buffer,
  trun: Box,
): { count: number; first: number; stride: number; hasDataOffset: boolean } => {
  const flags = bytes.readUInt32BE(trun.payload)
  return {
    count: bytes.readUInt32BE(trun.payload + 4),
    first: trun.payload + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0),
    stride: [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4,
    hasDataOffset: (flags & 0x1) !== 0,
  }
}

/** The id of a traf's track; 0, which no track has, without a header. */
export const trackIdOfTraf = (bytes: Buffer, traf: Box): number => {
  const tfhd = boxAt(bytes, 'tfhd', traf)
  return tfhd === undefined ? 0 : bytes.readUInt32BE(tfhd.payload + 4)
}

/** A traf (its whole box) whose data is `by` bytes nearer to the start of its moof, which has become shorter. */
export const withDataNearer = (traf: Buffer, by: number): Buffer => {
  const changed = Buffer.from(traf)
  const [whole] = boxesIn(changed)
  for (const trun of boxesIn(changed, whole?.payload, whole?.end).filter(({ type }) => type === 'trun')) {
    const at = trun.payload + 8
    if (rowsIn(changed, trun).hasDataOffset) changed.writeInt32BE(changed.readInt32BE(at) - by, at)
  }
  return changed
}

type Defaults = { duration: number; size: number; flags: number }

const readTrun = (bytes: Buffer, trun: Box, defaults: Defaults, known: Sample[]): boolean => {
  const flags = bytes.readUInt32BE(trun.payload) & 0xffffff
  const { count, first, stride } = rowsIn(bytes, trun)
  let row = trun.payload + 8
  const last = known.at(-1)
  let at = flags & 0x1 ? bytes.readInt32BE(row) : last === undefined ? 0 : last.at + last.size
  if (flags & 0x1) row += 4
  const firstFlags = flags & 0x4 ? bytes.readUInt32BE(row) : undefined
  row = first
  if (row + count * stride > trun.end || known.length + count > maxSamples) return false
  const next = (): number => {
    row += 4
    return bytes.readUInt32BE(row - 4)
  }
  for (let index = 0; index < count; index += 1) {
    const duration = flags & 0x100 ? next() : defaults.duration
    const size = flags & 0x200 ? next() : defaults.size
    const own = flags & 0x400 ? next() : defaults.flags
    const offset = flags & 0x800 ? next() | 0 : 0
    const isSync = (((index === 0 ? firstFlags : undefined) ?? own) & notSync) === 0
    known.push({ at, size, duration, offset, isSync })
    at += size
  }
  return true
}

/** Undefined without a decode time, or if the count exceeds the rows of the box. */
export const readSamples = (bytes: Buffer, traf: Box): TrackSamples | undefined => {
  const tfhd = boxAt(bytes, 'tfhd', traf)
  const tfdt = boxAt(bytes, 'tfdt', traf)
  if (tfhd === undefined || tfdt === undefined) return undefined
  const headerFlags = bytes.readUInt32BE(tfhd.payload) & 0xffffff
  let row = tfhd.payload + 8
  if (headerFlags & 0x1) row += 8
  if (headerFlags & 0x2) row += 4
  const next = (flag: number, otherwise: number): number => {
    if ((headerFlags & flag) === 0) return otherwise
    row += 4
    return bytes.readUInt32BE(row - 4)
  }
  const defaults = { duration: next(0x8, 0), size: next(0x10, 0), flags: next(0x20, 0) }
  // Signed: encoders begin sound before the first picture, and so before 0.
  const decodeTime =
    bytes[tfdt.payload] === 1 ? Number(bytes.readBigInt64BE(tfdt.payload + 4)) : bytes.readUInt32BE(tfdt.payload + 4)
  const samples: Sample[] = []
  for (const box of boxesIn(bytes, traf.payload, traf.end)) {
    if (box.type === 'trun' && !readTrun(bytes, box, defaults, samples)) return undefined
  }
  return { id: bytes.readUInt32BE(tfhd.payload + 4), decodeTime, samples }
}
