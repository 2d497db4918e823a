import { boxAt, boxesIn, type Box } from './boxes.ts'

export type Track = {
  id: number
  kind: 'video' | 'audio'
  timescale: number
  /** As in CODECS (RFC 6381). */
  codec: string
  width: number
  height: number
  /** The sequence parameter set of H.264, from the init. */
  parameterSet: Buffer | undefined
  pictureSet: Buffer | undefined
}

export type Init = { bytes: Buffer; tracks: Track[]; video: Track }

/** One track of a fragment, in units of the track. `isSync`: its first sample is a keyframe. */
export type FragmentTrack = {
  decodeTime: number
  duration: number
  sizes: number[]
  dataOffset: number
  isSync: boolean
}

/** One moof with its mdat; times in seconds of the run's media time. */
export type Fragment = {
  bytes: Buffer
  start: number
  duration: number
  /** Duration of its longest track, seconds. */
  span: number
  isIndependent: boolean
  /** Seconds by which sound begins before the pictures; 0 without sound. */
  soundLead: number
  picture: { offset: number; length: number }
}

const hex = (value: number): string => value.toString(16).padStart(2, '0')

const descriptor = (bytes: Buffer, at: number): { tag: number; payload: number } => {
  let payload = at + 1
  while ((bytes[payload] ?? 0) & 0x80) payload += 1
  return { tag: bytes[at] ?? 0, payload: payload + 1 }
}

const audioObjectType = (bytes: Buffer, esds: Box): number => {
  const es = descriptor(bytes, esds.payload + 4)
  const config = descriptor(bytes, es.payload + 3)
  const specific = descriptor(bytes, config.payload + 13)
  return specific.tag === 5 ? (bytes[specific.payload] ?? 0x10) >> 3 : 2
}

const sampleEntry = (bytes: Buffer, stsd: Box): Box | undefined => boxesIn(bytes, stsd.payload + 8, stsd.end)[0]

const readTrack = (bytes: Buffer, trak: Box): Track | undefined => {
  const tkhd = boxAt(bytes, 'tkhd', trak)
  const mdhd = boxAt(bytes, 'mdia/mdhd', trak)
  const stsd = boxAt(bytes, 'mdia/minf/stbl/stsd', trak)
  const entry = stsd === undefined ? undefined : sampleEntry(bytes, stsd)
  if (tkhd === undefined || mdhd === undefined || entry === undefined) return undefined
  const isLong = bytes[mdhd.payload] === 1
  const id = bytes.readUInt32BE(tkhd.payload + (bytes[tkhd.payload] === 1 ? 20 : 12))
  const timescale = bytes.readUInt32BE(mdhd.payload + (isLong ? 20 : 12))
  const base = { id, timescale, width: 0, height: 0, parameterSet: undefined, pictureSet: undefined }
  const configs = (skip: number) => boxesIn(bytes, entry.payload + skip, entry.end)
  const avcC = entry.type === 'avc1' ? configs(78).find((box) => box.type === 'avcC') : undefined
  if (avcC !== undefined) {
    const at = avcC.payload
    const [profile = 0, constraints = 0, level = 0] = bytes.subarray(at + 1, at + 4)
    const length = bytes.readUInt16BE(at + 6)
    const second = at + 8 + length + 3
    return {
      ...base,
      kind: 'video',
      codec: `avc1.${hex(profile)}${hex(constraints)}${hex(level)}`,
      width: bytes.readUInt16BE(entry.payload + 24),
      height: bytes.readUInt16BE(entry.payload + 26),
      parameterSet: bytes.subarray(at + 8, at + 8 + length),
      pictureSet: bytes.subarray(second, second + bytes.readUInt16BE(second - 2)),
    }
  }
  const esds = entry.type === 'mp4a' ? configs(28).find((box) => box.type === 'esds') : undefined
  if (esds === undefined) return undefined
  return { ...base, kind: 'audio', codec: `mp4a.40.${audioObjectType(bytes, esds)}` }
}

/** Parses ftyp + moov; undefined without H.264. */
export const readInit = (bytes: Buffer): Init | undefined => {
  const moov = boxAt(bytes, 'moov')
  if (moov === undefined) return undefined
  const tracks = boxesIn(bytes, moov.payload, moov.end)
    .filter((box) => box.type === 'trak')
    .flatMap((trak) => readTrack(bytes, trak) ?? [])
  const video = tracks.find((track) => track.kind === 'video')
  return video === undefined ? undefined : { bytes, tracks, video }
}

/** Sample flag: not a sync sample (ISO/IEC 14496-12, 8.8.3). */
const notSync = 0x10000
/** More than a minute at any rate; bounds the claim of a box without per-sample rows. */
const mostSamples = 100_000

const readTraf = (bytes: Buffer, traf: Box): (FragmentTrack & { id: number }) | undefined => {
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
  const decodeTime =
    bytes[tfdt.payload] === 1 ? Number(bytes.readBigUInt64BE(tfdt.payload + 4)) : bytes.readUInt32BE(tfdt.payload + 4)
  let duration = 0
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
    if (row + count * stride > trun.end || sizes.length + count > mostSamples) return undefined
    if (sizes.length === 0 && count > 0) {
      const ownFlags =
        flags & 0x400 ? bytes.readUInt32BE(row + (flags & 0x100 ? 4 : 0) + (flags & 0x200 ? 4 : 0)) : defaultFlags
      sampleFlags = firstFlags ?? ownFlags
    }
    for (let index = 0; index < count; index += 1, row += stride) {
      duration += flags & 0x100 ? bytes.readUInt32BE(row) : defaultDuration
      sizes.push(flags & 0x200 ? bytes.readUInt32BE(row + (flags & 0x100 ? 4 : 0)) : defaultSize)
    }
  }
  return {
    id: bytes.readUInt32BE(tfhd.payload + 4),
    decodeTime,
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
  const start = video.decodeTime / init.video.timescale
  const sound = init.tracks.find((track) => track.kind === 'audio')
  const heard = tracks.find((track) => track.id === sound?.id && track.sizes.length > 0)
  const soundStart = sound === undefined || heard === undefined ? start : heard.decodeTime / sound.timescale
  return {
    bytes,
    start,
    duration: video.duration / init.video.timescale,
    span: Math.max(
      ...tracks.map((track) => track.duration / (init.tracks.find(({ id }) => id === track.id)?.timescale ?? Infinity)),
    ),
    isIndependent: video.isSync,
    soundLead: Math.max(0, start - soundStart),
    picture: { offset: moof.start + video.dataOffset, length: video.sizes[0] ?? 0 },
  }
}

/** True if the picture parameters changed within a connection: the init no longer fits. */
export const hasOtherParameters = (fragment: Fragment, init: Init): boolean => {
  const { bytes, picture } = fragment
  const end = Math.min(picture.offset + picture.length, bytes.length)
  let at = picture.offset
  while (at + 5 <= end) {
    const length = bytes.readUInt32BE(at)
    const nal = bytes.subarray(at + 4, Math.min(at + 4 + length, end))
    if (((nal[0] ?? 0) & 0x1f) === 7) return init.video.parameterSet?.equals(nal) === false
    if (length === 0) return false
    at += 4 + length
  }
  return false
}
