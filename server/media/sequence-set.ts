import { readBits, withoutEscapes, type BitReader } from './bits.ts'
import { isH265, type Track } from './init.ts'

/** A parameter set that breaks its standard. */
class Unreadable extends Error {}

const bounded = (value: number, most: number): number => {
  if (value > most) throw new Unreadable(`${value} of at most ${most}`)
  return value
}

const repeat = (times: number, read: () => void): void => {
  for (let index = 0; index < times; index += 1) read()
}

/** The value of matrix_coefficients where nothing says it (ITU-T H.273, table 4). */
export const unspecifiedMatrix = 2

/** Both standards begin their VUI alike (ITU-T H.264 E.1.1, H.265 E.2.1). */
const readMatrix = ({ bits }: BitReader): number => {
  const hasAspect = bits(1) === 1
  if (hasAspect && bits(8) === 255) bits(32)
  const hasOverscan = bits(1) === 1
  if (hasOverscan) bits(1)
  const hasSignalType = bits(1) === 1
  if (!hasSignalType) return unspecifiedMatrix
  bits(4)
  const hasColours = bits(1) === 1
  if (!hasColours) return unspecifiedMatrix
  bits(16)
  return bits(8)
}

/** What a sequence parameter set says of its pictures; `bitDepths`: of luma and chroma. */
export type SequenceFacts = {
  width: number
  height: number
  chromaFormat: number
  bitDepths: readonly [luma: number, chroma: number]
}

/** `hasVui`: its VUI follows. */
type Sequence = SequenceFacts & { hasVui: boolean }
type Chroma = Pick<SequenceFacts, 'chromaFormat' | 'bitDepths'>

/** A box of MP4 has 16 bits for either side. */
const maxSide = 0xffff

/**
 * The size of the shown part of a picture. `rowUnit`: 2 if its rows may be fields, by which H.264 cuts (ITU-T H.264
 * 7.4.2.1.1, H.265 7.4.3.2.1).
 */
const readShown = (
  { bits, ue }: BitReader,
  { width, height, chromaFormat }: Omit<SequenceFacts, 'bitDepths'>,
  rowUnit = 1,
): Pick<SequenceFacts, 'width' | 'height'> => {
  const isCropped = bits(1) === 1
  if (!isCropped) return { width, height }
  const across = (ue() + ue()) * (chromaFormat === 1 || chromaFormat === 2 ? 2 : 1)
  const down = (ue() + ue()) * (chromaFormat === 1 ? 2 : 1) * rowUnit
  return { width: width - across, height: height - down }
}

/** Profiles whose parameter sets have a chroma format (ITU-T H.264 7.3.2.1.1). */
const highProfiles = new Set([44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244])

/** ITU-T H.264 7.3.2.1.1.1. */
const skipScalingList = ({ se }: BitReader, size: number): void => {
  let scale = 8
  for (let index = 0; index < size; index += 1) {
    scale = (scale + se() + 256) % 256
    if (scale === 0) return
  }
}

const readChroma = (reader: BitReader): Chroma => {
  const { bits, ue } = reader
  const chromaFormat = bounded(ue(), 3)
  if (chromaFormat === 3) bits(1)
  const bitDepths = [bounded(ue(), 6) + 8, bounded(ue(), 6) + 8] as const
  bits(1)
  const lists = bits(1) === 1 ? (chromaFormat === 3 ? 12 : 8) : 0
  for (let list = 0; list < lists; list += 1) {
    if (bits(1) === 1) skipScalingList(reader, list < 6 ? 16 : 64)
  }
  return { chromaFormat, bitDepths }
}

/** ITU-T H.264 7.3.2.1.1, from profile_idc on. */
const readH264 = (reader: BitReader): Sequence => {
  const { bits, ue, se } = reader
  const profile = bits(8)
  bits(16)
  ue()
  const chroma: Chroma = highProfiles.has(profile) ? readChroma(reader) : { chromaFormat: 1, bitDepths: [8, 8] }
  ue()
  const orderType = bounded(ue(), 2)
  if (orderType === 0) ue()
  if (orderType === 1) {
    bits(1)
    repeat(2, se)
    repeat(bounded(ue(), 255), se)
  }
  ue()
  bits(1)
  const [columns, rows] = [ue() + 1, ue() + 1]
  const hasFramesAlone = bits(1) === 1
  if (!hasFramesAlone) bits(1)
  bits(1)
  const rowUnit = hasFramesAlone ? 1 : 2
  const whole = { width: columns * 16, height: rows * 16 * rowUnit, chromaFormat: chroma.chromaFormat }
  return { ...chroma, ...readShown(reader, whole, rowUnit), hasVui: bits(1) === 1 }
}

/** ITU-T H.265 7.3.3. `subLayers`: besides the highest one. */
const skipProfiles = ({ bits }: BitReader, subLayers: number): void => {
  bits(88)
  bits(8)
  const present = Array.from({ length: subLayers }, () => ({ profile: bits(1) === 1, level: bits(1) === 1 }))
  if (subLayers > 0) repeat(8 - subLayers, () => bits(2))
  for (const { profile, level } of present) {
    if (profile) bits(88)
    if (level) bits(8)
  }
}

/** ITU-T H.265 7.3.4. */
const skipScalingLists = ({ bits, ue, se }: BitReader): void => {
  for (let size = 0; size < 4; size += 1) {
    repeat(size === 3 ? 2 : 6, () => {
      const isOwn = bits(1) === 1
      if (!isOwn) ue()
      else repeat((size > 1 ? 1 : 0) + Math.min(64, 16 << (2 * size)), se)
    })
  }
}

const maxReferences = 16

/**
 * A set of reference pictures by their distances: first those before a picture, then those after it, each from the
 * nearest one on. It may be predicted from the set before (ITU-T H.265 7.3.7 and 7.4.8).
 */
const readReferences = ({ bits, ue }: BitReader, previous: readonly number[] | undefined): number[] => {
  const isPredicted = previous !== undefined && bits(1) === 1
  if (isPredicted) {
    const sign = bits(1) === 1 ? -1 : 1
    const shift = sign * (ue() + 1)
    const kept = [...previous, 0].filter(() => bits(1) === 1 || bits(1) === 1)
    bounded(kept.length, maxReferences)
    const distances = kept.map((distance) => distance + shift).toSorted((a, b) => a - b)
    return [...distances.filter((each) => each < 0).toReversed(), ...distances.filter((each) => each > 0)]
  }
  const counts = [bounded(ue(), maxReferences), bounded(ue(), maxReferences)]
  return counts.flatMap((count, side) => {
    let distance = 0
    return Array.from({ length: count }, () => {
      distance += (side === 0 ? -1 : 1) * (ue() + 1)
      bits(1)
      return distance
    })
  })
}

const skipShortTermReferences = (reader: BitReader): void => {
  let previous: number[] | undefined
  repeat(bounded(reader.ue(), 64), () => (previous = readReferences(reader, previous)))
}

/** ITU-T H.265 7.3.2.2.1. */
const readH265 = (reader: BitReader): Sequence => {
  const { bits, ue } = reader
  bits(4)
  const subLayers = bounded(bits(3), 6)
  bits(1)
  skipProfiles(reader, subLayers)
  ue()
  const chromaFormat = bounded(ue(), 3)
  if (chromaFormat === 3) bits(1)
  const shown = readShown(reader, { width: ue(), height: ue(), chromaFormat })
  const bitDepths = [bounded(ue(), 8) + 8, bounded(ue(), 8) + 8] as const
  const orderBits = bounded(ue(), 12) + 4
  const hasOrderOfEach = bits(1) === 1
  repeat(3 * (hasOrderOfEach ? subLayers + 1 : 1), ue)
  repeat(6, ue)
  const isScaled = bits(1) === 1
  if (isScaled && bits(1) === 1) skipScalingLists(reader)
  bits(2)
  const hasPcm = bits(1) === 1
  if (hasPcm) {
    bits(8)
    repeat(2, ue)
    bits(1)
  }
  skipShortTermReferences(reader)
  const hasLongTermReferences = bits(1) === 1
  if (hasLongTermReferences) repeat(bounded(ue(), 32), () => bits(orderBits + 1))
  bits(2)
  return { ...shown, chromaFormat, bitDepths, hasVui: bits(1) === 1 }
}

export const isSequenceSet = (unit: Uint8Array, ofH265: boolean): boolean => {
  const [first = 0] = unit
  return ofH265 ? ((first >> 1) & 0x3f) === 33 : (first & 0x1f) === 7
}

/** Undefined if a sequence parameter set can't be read, or ends too early for `read`. */
const readSet = <T>(unit: Uint8Array, ofH265: boolean, read: (set: Sequence, rest: BitReader) => T): T | undefined => {
  const data = withoutEscapes(unit.subarray(ofH265 ? 2 : 1))
  const reader = readBits(data)
  try {
    const result = read(ofH265 ? readH265(reader) : readH264(reader), reader)
    return reader.at() > data.length * 8 ? undefined : result
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** Undefined if a sequence parameter set can't be read. */
export const sequenceFactsIn = (unit: Uint8Array, ofH265: boolean): SequenceFacts | undefined =>
  readSet(unit, ofH265, ({ width, height, chromaFormat, bitDepths }) => {
    if (Math.min(width, height) < 1) throw new Unreadable('A picture without a pixel')
    return { width: bounded(width, maxSide), height: bounded(height, maxSide), chromaFormat, bitDepths }
  })

/** matrix_coefficients of a sequence parameter set; undefined if it can't be read. */
export const matrixIn = (unit: Uint8Array, ofH265: boolean): number | undefined =>
  readSet(unit, ofH265, ({ hasVui }, rest) => (hasVui ? readMatrix(rest) : unspecifiedMatrix))

/** matrix_coefficients of a track; undefined if its parameter sets can't be read, or differ. */
export const matrixOf = (video: Track): number | undefined => {
  const ofH265 = isH265(video)
  const sets = video.parameterSets.filter((unit) => isSequenceSet(unit, ofH265))
  const [matrix, ...others] = new Set(sets.map((unit) => matrixIn(unit, ofH265)))
  return others.length === 0 ? matrix : undefined
}
