import { boxAt, boxesIn, type Box } from './boxes.ts'
import { isH265, type Init } from './init.ts'

export { readInit, type Init, type Track } from './init.ts'

/** One track of a fragment, in units of the track. `isSync`: its first sample is a keyframe. */
type FragmentTrack = {
  id: number
  decodeTime: number
  /** Of its earliest sample; before or after `decodeTime` with B-frames. */
  presentationTime: number
  isLed: boolean
  duration: number
  sizes: number[]
  dataOffset: number
  isSync: boolean
}

/** One moof with its mdat; times in seconds of the run's media time. */
export type Fragment = {
  bytes: Buffer
  /** The moment its earliest picture is shown. */
  start: number
  duration: number
  frames: number
  /** Duration of its longest track, seconds. */
  span: number
  isIndependent: boolean
  /** Pictures after its first one are shown before it. */
  isLed: boolean
  hasSound: boolean
  /** Seconds by which sound begins before the pictures; 0 without sound. */
  soundLead: number
  picture: { offset: number; length: number }
}

/** Sample flag: not a sync sample (ISO/IEC 14496-12, 8.8.3). */
const notSync = 0x10000
/** More than a minute at any rate; bounds the claim of a box without per-sample rows. */
const maxSamples = 100_000

const readTraf = (bytes: Buffer, traf: Box): FragmentTrack | undefined => {
  const tfhd = boxAt(bytes, 'tfhd', traf)
  const tfdt = boxAt(bytes, 'tfdt', traf)
  if (tfhd === undefined || tfdt === undefined) return undefined
  const headerFlags = bytes.readUInt32BE(tfhd.payload) & 0xffffff
  let at = tfhd.payload + 8
  if (headerFlags & 0x1) at += 8
  if (headerFlags & 0x2) at += 4
  const defaultDuration = headerFlags & 0x8 ? bytes.readUInt32BE(at) : 0
  if (headerFlags & 0x8) at += 4
  const defaultSize = headerFlags & 0x10 ? bytes.readUInt32BE(at) : 0
  if (headerFlags & 0x10) at += 4
  const defaultFlags = headerFlags & 0x20 ? bytes.readUInt32BE(at) : 0
  // Signed: encoders put sound before the first picture, and with it before 0.
  const decodeTime =
    bytes[tfdt.payload] === 1 ? Number(bytes.readBigInt64BE(tfdt.payload + 4)) : bytes.readUInt32BE(tfdt.payload + 4)
  let duration = 0
  let [first, earliest] = [Infinity, Infinity]
  let dataOffset = 0
  let sampleFlags = notSync
  const sizes: number[] = []
  for (const trun of boxesIn(bytes, traf.payload, traf.end).filter((box) => box.type === 'trun')) {
    const flags = bytes.readUInt32BE(trun.payload) & 0xffffff
    const count = bytes.readUInt32BE(trun.payload + 4)
    let row = trun.payload + 8
    if (flags & 0x1) {
      if (sizes.length === 0) dataOffset = bytes.readInt32BE(row)
      row += 4
    }
    const firstFlags = flags & 0x4 ? bytes.readUInt32BE(row) : undefined
    if (flags & 0x4) row += 4
    const stride = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4
    if (row + count * stride > trun.end || sizes.length + count > maxSamples) return undefined
    if (sizes.length === 0 && count > 0) {
      const ownFlags =
        flags & 0x400 ? bytes.readUInt32BE(row + (flags & 0x100 ? 4 : 0) + (flags & 0x200 ? 4 : 0)) : defaultFlags
      sampleFlags = firstFlags ?? ownFlags
    }
    for (let index = 0; index < count; index += 1, row += stride) {
      const offset = flags & 0x800 ? bytes.readInt32BE(row + stride - 4) : 0
      if (sizes.length === 0) first = offset
      earliest = Math.min(earliest, duration + offset)
      duration += flags & 0x100 ? bytes.readUInt32BE(row) : defaultDuration
      sizes.push(flags & 0x200 ? bytes.readUInt32BE(row + (flags & 0x100 ? 4 : 0)) : defaultSize)
    }
  }
  return {
    id: bytes.readUInt32BE(tfhd.payload + 4),
    decodeTime,
    presentationTime: decodeTime + (sizes.length === 0 ? 0 : earliest),
    isLed: earliest < first,
    duration,
    sizes,
    dataOffset,
    isSync: (sampleFlags & notSync) === 0,
  }
}

export const readFragment = (bytes: Buffer, init: Init): Fragment | undefined => {
  const moof = boxAt(bytes, 'moof')
  if (moof === undefined) return undefined
  const tracks = boxesIn(bytes, moof.payload, moof.end)
    .filter((box) => box.type === 'traf')
    .flatMap((traf) => readTraf(bytes, traf) ?? [])
  const video = tracks.find((track) => track.id === init.video.id)
  if (video === undefined || video.sizes.length === 0) return undefined
  const start = (video.presentationTime - init.video.editStart) / init.video.timescale
  const sound = init.tracks.find((track) => track.kind === 'audio')
  const samples = tracks.find((track) => track.id === sound?.id && track.sizes.length > 0)
  const soundStart =
    sound === undefined || samples === undefined ? start : (samples.decodeTime - sound.editStart) / sound.timescale
  return {
    bytes,
    start,
    duration: video.duration / init.video.timescale,
    frames: video.sizes.length,
    span: Math.max(
      ...tracks.map((track) => track.duration / (init.tracks.find(({ id }) => id === track.id)?.timescale ?? Infinity)),
    ),
    isIndependent: video.isSync,
    isLed: video.isLed,
    hasSound: samples !== undefined,
    soundLead: Math.max(0, start - soundStart),
    picture: { offset: moof.start + video.dataOffset, length: video.sizes[0] ?? 0 },
  }
}

const isSequenceSet = (unit: Buffer, ofH265: boolean): boolean => {
  const [first = 0] = unit
  return ofH265 ? ((first >> 1) & 0x3f) === 33 : (first & 0x1f) === 7
}

/** True if the picture parameters changed within a connection: the init no longer fits. */
export const hasOtherParameters = (fragment: Fragment, init: Init): boolean => {
  const { bytes, picture } = fragment
  const ofH265 = isH265(init.video)
  const end = Math.min(picture.offset + picture.length, bytes.length)
  let at = picture.offset
  while (at + 5 <= end) {
    const length = bytes.readUInt32BE(at)
    const unit = bytes.subarray(at + 4, Math.min(at + 4 + length, end))
    if (isSequenceSet(unit, ofH265)) return !init.video.parameterSets.some((known) => known.equals(unit))
    if (length === 0) return false
    at += 4 + length
  }
  return false
}
