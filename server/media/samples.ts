import { boxAt, boxesIn, type Box } from './boxes.ts'

/**
 * Times in units of the track. `at`: the position of the data from the start of the moof; `offset`: presentation minus
 * decode time.
 */
export type Sample = { at: number; size: number; duration: number; offset: number; isSync: boolean }

/** One track of a fragment. */
export type TrackSamples = { id: number; decodeTime: number; samples: Sample[] }

/** Sample flag: not a sync sample (ISO/IEC 14496-12, 8.8.3). */
const notSync = 0x10000
/** More than a minute at any frame rate. Limits the count in a box without a row for each sample. */
const maxSamples = 100_000

/** The rows of a trun (ISO/IEC 14496-12, 8.8.8), one for each sample. */
type Rows = {
  count: number
  /** The position of the first row. */
  first: number
  /** The bytes of a row. */
  stride: number
  /** Whether the trun has the position of its first sample's data, before the rows. */
  hasDataOffset: boolean
  /** Where duration and size are in a row; undefined if the defaults of the traf apply. */
  durationAt: number | undefined
  sizeAt: number | undefined
}

export const rowsIn = (bytes: Buffer, trun: Box): Rows => {
  const flags = bytes.readUInt32BE(trun.payload)
  return {
    count: bytes.readUInt32BE(trun.payload + 4),
    first: trun.payload + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0),
    stride: [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4,
    hasDataOffset: (flags & 0x1) !== 0,
    durationAt: flags & 0x100 ? 0 : undefined,
    sizeAt: flags & 0x200 ? (flags & 0x100 ? 4 : 0) : undefined,
  }
}

/** The id of a traf's track; 0, which no track has, without a header. */
export const trackIdOfTraf = (bytes: Buffer, traf: Box): number => {
  const tfhd = boxAt(bytes, 'tfhd', traf)
  return tfhd === undefined ? 0 : bytes.readUInt32BE(tfhd.payload + 4)
}

/** Copies a traf, with its header, for a moof that has become shorter: its data begins `by` bytes earlier. */
export const withDataNearer = (traf: Buffer, by: number): Buffer => {
  const changed = Buffer.from(traf)
  const [box] = boxesIn(changed)
  for (const trun of boxesIn(changed, box?.payload, box?.end).filter(({ type }) => type === 'trun')) {
    const at = trun.payload + 8
    if (rowsIn(changed, trun).hasDataOffset) changed.writeInt32BE(changed.readInt32BE(at) - by, at)
  }
  return changed
}

type Defaults = {
  duration: number
  size: number
  flags: number
  /** The position of the size; undefined if the tfhd has none. */
  sizePosition: number | undefined
}

/** What a tfhd says of samples whose rows don't (ISO/IEC 14496-12, 8.8.7); 0 where it says nothing. */
export const defaultsIn = (bytes: Buffer, tfhd: Box): Defaults => {
  const tfhdFlags = bytes.readUInt32BE(tfhd.payload) & 0xffffff
  let position = tfhd.payload + 8
  if (tfhdFlags & 0x1) position += 8
  if (tfhdFlags & 0x2) position += 4
  const next = (flag: number): number => {
    if ((tfhdFlags & flag) === 0) return 0
    position += 4
    return bytes.readUInt32BE(position - 4)
  }
  const duration = next(0x8)
  const sizePosition = tfhdFlags & 0x10 ? position : undefined
  return { duration, size: next(0x10), flags: next(0x20), sizePosition }
}

/** Adds the samples of a trun; false if the count exceeds the rows of the box. */
const addSamples = (bytes: Buffer, trun: Box, defaults: Defaults, samples: Sample[]): boolean => {
  const flags = bytes.readUInt32BE(trun.payload) & 0xffffff
  const { count, first, stride, hasDataOffset } = rowsIn(bytes, trun)
  const last = samples.at(-1)
  let at = hasDataOffset ? bytes.readInt32BE(trun.payload + 8) : last === undefined ? 0 : last.at + last.size
  const firstFlags = flags & 0x4 ? bytes.readUInt32BE(first - 4) : undefined
  if (first + count * stride > trun.end || samples.length + count > maxSamples) return false
  let position = first
  const next = (): number => {
    position += 4
    return bytes.readUInt32BE(position - 4)
  }
  for (let index = 0; index < count; index += 1) {
    const duration = flags & 0x100 ? next() : defaults.duration
    const size = flags & 0x200 ? next() : defaults.size
    const own = flags & 0x400 ? next() : defaults.flags
    const offset = flags & 0x800 ? next() | 0 : 0
    const isSync = (((index === 0 ? firstFlags : undefined) ?? own) & notSync) === 0
    samples.push({ at, size, duration, offset, isSync })
    at += size
  }
  return true
}

/** Undefined without a decode time, or if the count exceeds the rows of the box. */
export const readSamples = (bytes: Buffer, traf: Box): TrackSamples | undefined => {
  const tfhd = boxAt(bytes, 'tfhd', traf)
  const tfdt = boxAt(bytes, 'tfdt', traf)
  if (tfhd === undefined || tfdt === undefined) return undefined
  const defaults = defaultsIn(bytes, tfhd)
  // Signed: encoders begin sound before the first picture, and so before 0.
  const decodeTime =
    bytes[tfdt.payload] === 1 ? Number(bytes.readBigInt64BE(tfdt.payload + 4)) : bytes.readUInt32BE(tfdt.payload + 4)
  const samples: Sample[] = []
  for (const box of boxesIn(bytes, traf.payload, traf.end)) {
    if (box.type === 'trun' && !addSamples(bytes, box, defaults, samples)) return undefined
  }
  return { id: bytes.readUInt32BE(tfhd.payload + 4), decodeTime, samples }
}
