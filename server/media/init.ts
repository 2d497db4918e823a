import { boxAt, boxesIn, type Box } from './boxes.ts'

export type Track = {
  id: number
  kind: 'video' | 'audio'
  timescale: number
  /** As in CODECS (RFC 6381). */
  codec: string
  width: number
  height: number
  /** The aspect ratio of a pixel, its width by its height; 1 for square pixels. */
  sampleAspect: number
  /** The parameter sets of the init, in their order before a picture: VPS, SPS, PPS for H.265; SPS, PPS for H.264. */
  parameterSets: readonly Buffer[]
  /** The media time at which the presentation begins (edit list), in units of the track's time scale. */
  editStart: number
}

export type Init = { bytes: Buffer; tracks: Track[]; video: Track }

const hex = (value: number): string => value.toString(16).padStart(2, '0')

/** A descriptor of MPEG-4 (ISO/IEC 14496-1, 8.3.3): its tag, its length of one to four bytes, its payload. */
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

/** Reads `count` NAL units, each after a 16-bit length, and where they end. */
const unitsAt = (bytes: Buffer, from: number, count: number): { units: Buffer[]; end: number } => {
  const units: Buffer[] = []
  let at = from
  for (let index = 0; index < count; index += 1) {
    const length = bytes.readUInt16BE(at)
    units.push(bytes.subarray(at + 2, at + 2 + length))
    at += 2 + length
  }
  return { units, end: at }
}

type Pictures = Pick<Track, 'codec' | 'parameterSets'>

const h264Pictures = (bytes: Buffer, avcC: Box): Pictures => {
  const at = avcC.payload
  const [profile = 0, constraints = 0, level = 0] = bytes.subarray(at + 1, at + 4)
  const first = unitsAt(bytes, at + 6, (bytes[at + 5] ?? 0) & 0x1f)
  const second = unitsAt(bytes, first.end + 1, bytes[first.end] ?? 0)
  return {
    codec: `avc1.${hex(profile)}${hex(constraints)}${hex(level)}`,
    parameterSets: [...first.units, ...second.units],
  }
}

const reversedBits = (value: number): number => {
  let result = 0
  for (let bit = 0; bit < 32; bit += 1) result = result * 2 + ((value >>> bit) & 1)
  return result
}

/** The types of parameter sets of H.265 (ITU-T H.265, table 7-1): VPS, SPS, PPS. */
export const h265Sets = [32, 33, 34]

/** Reads the arrays of NAL units of an hvcC; `head`: whether it is complete, and its type. */
export const h265Arrays = (bytes: Buffer, hvcC: Box): { head: number; type: number; units: Buffer[] }[] => {
  let at = hvcC.payload + 23
  return Array.from({ length: bytes[at - 1] ?? 0 }, () => {
    const head = bytes.readUInt8(at)
    const { units, end } = unitsAt(bytes, at + 3, bytes.readUInt16BE(at + 1))
    at = end
    return { head, type: head & 0x3f, units }
  })
}

/** ISO/IEC 14496-15, 8.3.3.1 and annex E.3. */
const h265Pictures = (bytes: Buffer, type: string, hvcC: Box): Pictures => {
  const at = hvcC.payload
  const general = bytes[at + 1] ?? 0
  const space = ['', 'A', 'B', 'C'][general >> 6] ?? ''
  const tier = general & 0x20 ? 'H' : 'L'
  const compatibility = reversedBits(bytes.readUInt32BE(at + 2)).toString(16)
  const constraints = [...bytes.subarray(at + 6, at + 12)].map((value) => value.toString(16))
  while (constraints.at(-1) === '0') constraints.pop()
  const profile = `${space}${general & 0x1f}.${compatibility}.${tier}${bytes[at + 12] ?? 0}`
  // Other arrays have messages (SEI), such as the name of the encoder.
  const parameterSets = h265Arrays(bytes, hvcC).flatMap(({ type: each, units }) =>
    h265Sets.includes(each) ? units : [],
  )
  return { codec: `${type}.${[profile, ...constraints].join('.').toUpperCase()}`, parameterSets }
}

const videoTypes = new Map([
  ['avc1', 'avcC'],
  ['hvc1', 'hvcC'],
  ['hev1', 'hvcC'],
])

const picturesOf = (bytes: Buffer, entry: Box): Pictures | undefined => {
  const wanted = videoTypes.get(entry.type)
  const config = boxesIn(bytes, entry.payload + 78, entry.end).find(({ type }) => type === wanted)
  if (wanted === undefined || config === undefined) return undefined
  return wanted === 'avcC' ? h264Pictures(bytes, config) : h265Pictures(bytes, entry.type, config)
}

/** A larger aspect ratio, or a smaller one than its inverse, is an error of the camera. */
export const maxSampleAspect = 4

const sampleAspectOf = (bytes: Buffer, entry: Box): number => {
  const pasp = boxesIn(bytes, entry.payload + 78, entry.end).find(({ type }) => type === 'pasp')
  if (pasp === undefined || pasp.end - pasp.payload < 8) return 1
  const aspect = bytes.readUInt32BE(pasp.payload) / bytes.readUInt32BE(pasp.payload + 4)
  return aspect >= 1 / maxSampleAspect && aspect <= maxSampleAspect ? aspect : 1
}

const readEditStart = (bytes: Buffer, trak: Box): number => {
  const elst = boxAt(bytes, 'edts/elst', trak)
  if (elst === undefined) return 0
  const isLong = bytes[elst.payload] === 1
  for (let index = 0; index < bytes.readUInt32BE(elst.payload + 4); index += 1) {
    const row = elst.payload + 8 + index * (isLong ? 20 : 12)
    if (row + (isLong ? 20 : 12) > elst.end) return 0
    const start = isLong ? Number(bytes.readBigInt64BE(row + 8)) : bytes.readInt32BE(row + 4)
    // -1: an empty edit.
    if (start >= 0) return start
  }
  return 0
}

export const trackIdOf = (bytes: Buffer, trak: Box): number | undefined => {
  const tkhd = boxAt(bytes, 'tkhd', trak)
  return tkhd === undefined ? undefined : bytes.readUInt32BE(tkhd.payload + (bytes[tkhd.payload] === 1 ? 20 : 12))
}

const readTrack = (bytes: Buffer, trak: Box): Track | undefined => {
  const id = trackIdOf(bytes, trak)
  const mdhd = boxAt(bytes, 'mdia/mdhd', trak)
  const stsd = boxAt(bytes, 'mdia/minf/stbl/stsd', trak)
  const entry = stsd === undefined ? undefined : boxesIn(bytes, stsd.payload + 8, stsd.end)[0]
  if (id === undefined || mdhd === undefined || entry === undefined) return undefined
  const base = {
    id,
    timescale: bytes.readUInt32BE(mdhd.payload + (bytes[mdhd.payload] === 1 ? 20 : 12)),
    editStart: readEditStart(bytes, trak),
  }
  const pictures = picturesOf(bytes, entry)
  if (pictures !== undefined) {
    const [width, height] = [bytes.readUInt16BE(entry.payload + 24), bytes.readUInt16BE(entry.payload + 26)]
    return { ...base, kind: 'video', ...pictures, width, height, sampleAspect: sampleAspectOf(bytes, entry) }
  }
  if (entry.type !== 'mp4a') return undefined
  const esds = boxesIn(bytes, entry.payload + 28, entry.end).find((box) => box.type === 'esds')
  if (esds === undefined) return undefined
  const codec = `mp4a.40.${audioObjectType(bytes, esds)}`
  return { ...base, kind: 'audio', codec, width: 0, height: 0, sampleAspect: 1, parameterSets: [] }
}

/** Empty if the numbers of a damaged moov lead beyond its bytes. */
const readTracks = (bytes: Buffer): Track[] => {
  const moov = boxAt(bytes, 'moov')
  if (moov === undefined) return []
  try {
    return boxesIn(bytes, moov.payload, moov.end)
      .filter((box) => box.type === 'trak')
      .flatMap((trak) => readTrack(bytes, trak) ?? [])
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

/** Parses ftyp + moov. Undefined without a track of H.264 or H.265, or if they are damaged. */
export const readInit = (bytes: Buffer): Init | undefined => {
  const tracks = readTracks(bytes)
  const video = tracks.find((track) => track.kind === 'video')
  return video === undefined ? undefined : { bytes, tracks, video }
}

export const isH265 = ({ codec }: Track): boolean => /^h(?:vc|ev)1/.test(codec)

/** Baseline, Main, Extended and High: 8 bit 4:2:0, which every browser decodes. */
const playable = /^avc1\.(?:42|4d|58|64)/

export const isPlayable = ({ video }: Init): boolean => playable.test(video.codec)
