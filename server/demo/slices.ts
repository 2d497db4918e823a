import { readBits, withoutEscapes, type BitReader } from '../media/bits.ts'
import { writeBits } from './bits.ts'

export type ParameterSets = { frameNumberBits: number; initialQp: number; ppsId: number }

/**
 * A coded slice that can be moved to another picture: header fields, and `length` bits of `data` from bit `from`.
 * `firstBlock`: the address of its first macroblock; `blocks`: how many it has.
 */
export type Slice = {
  firstBlock: number
  blocks: number
  isIntra: boolean
  qp: number
  data: Uint8Array
  from: number
  length: number
}

/** `keyId`: the idr_pic_id of a keyframe, which differs from that of the keyframe before. */
export type Picture = { isKey: boolean; frameNumber: number; keyId: number }

/** A NAL unit with emulation prevention bytes and, before it, its length. */
const escaped = (header: number, raw: Uint8Array): Buffer => {
  const out = Buffer.alloc(raw.length + (raw.length >> 1) + 8)
  out[4] = header
  let at = 5
  let zeros = 0
  for (const byte of raw) {
    if (zeros >= 2 && byte <= 3) {
      out[at] = 3
      at += 1
      zeros = 0
    }
    zeros = byte === 0 ? zeros + 1 : 0
    out[at] = byte
    at += 1
  }
  out.writeUInt32BE(at - 4, 0)
  return out.subarray(0, at)
}

/** The NAL units of a byte stream with start codes (ITU-T H.264 annex B). */
export const unitsOf = (stream: Buffer): Buffer[] => {
  const starts: number[] = []
  for (let at = stream.indexOf('000001', 0, 'hex'); at >= 0; at = stream.indexOf('000001', at + 3, 'hex'))
    starts.push(at + 3)
  return starts.map((start, index) => {
    let end = (starts[index + 1] ?? stream.length + 3) - 3
    while (end > start && stream[end - 1] === 0) end -= 1
    return stream.subarray(start, end)
  })
}

export const unitType = (unit: Uint8Array): number => (unit[0] ?? 0) & 0x1f

/** The bits of a frame number, from a sequence parameter set (ITU-T H.264 §7.3.2.1). */
const readFrameNumberBits = (unit: Uint8Array): number => {
  const reader = readBits(withoutEscapes(unit.subarray(4)))
  reader.ue()
  const frameNumberBits = reader.ue() + 4
  if (reader.ue() !== 2) throw new Error('Only pictures in the order of their coding can be composed')
  return frameNumberBits
}

/** Reads Baseline parameter sets as x264 writes them, without slice groups. Throws on what the composer can't write. */
export const readParameters = (sequence: Uint8Array, picture: Uint8Array): ParameterSets => {
  const reader = readBits(withoutEscapes(picture.subarray(1)))
  const ppsId = reader.ue()
  reader.ue()
  if (reader.bits(1) !== 0) throw new Error('Only CAVLC can be composed')
  reader.bits(1)
  if (reader.ue() !== 0) throw new Error('Slice groups can not be composed')
  reader.ue()
  reader.ue()
  reader.bits(3)
  return { frameNumberBits: readFrameNumberBits(sequence), initialQp: 26 + reader.se(), ppsId }
}

/** Reads a slice header, field by field (ITU-T H.264 §7.3.3). */
const readSliceHeader = (
  reader: BitReader,
  isKey: boolean,
  parameters: ParameterSets,
): Pick<Slice, 'firstBlock' | 'isIntra' | 'qp'> => {
  const firstBlock = reader.ue()
  const isIntra = reader.ue() % 5 === 2
  reader.ue()
  reader.bits(parameters.frameNumberBits)
  if (isKey) reader.ue()
  if (!isIntra && reader.bits(2) !== 0) throw new Error('Only the picture before can be referred to')
  reader.bits(isKey ? 2 : 1)
  const qp = parameters.initialQp + reader.se()
  if (reader.ue() !== 1) throw new Error('Slices filtered across their edges can not be composed')
  return { firstBlock, isIntra, qp }
}

export const cutSlice = (unit: Uint8Array, parameters: ParameterSets): Omit<Slice, 'blocks'> => {
  const data = withoutEscapes(unit.subarray(1))
  const reader = readBits(data)
  const head = readSliceHeader(reader, unitType(unit) === 5, parameters)
  let end = data.length * 8
  while (((data[(end - 1) >> 3] ?? 0) >> (7 - ((end - 1) & 7))) % 2 === 0) end -= 1
  return { ...head, data, from: reader.at(), length: end - reader.at() }
}

/** Begins a slice with its header. `capacity`: bytes for the whole slice. */
const writeHead = (
  capacity: number,
  firstBlock: number,
  isIntra: boolean,
  picture: Picture,
  parameters: ParameterSets,
  qp: number,
) => {
  const writer = writeBits(capacity)
  writer.ue(firstBlock)
  writer.ue(isIntra ? 2 : 0)
  writer.ue(parameters.ppsId)
  writer.bits(picture.frameNumber % 2 ** parameters.frameNumberBits, parameters.frameNumberBits)
  if (picture.isKey) writer.ue(picture.keyId)
  if (!isIntra) writer.bits(0, 2)
  writer.bits(0, picture.isKey ? 2 : 1)
  writer.se(qp - parameters.initialQp)
  writer.ue(1)
  return writer
}

const unitHeader = (picture: Picture): number => (picture.isKey ? 0x65 : 0x61)

/** Moves a slice to a picture: a NAL unit with its length before it, as in MP4. */
export const writeSlice = (slice: Slice, picture: Picture, parameters: ParameterSets): Buffer => {
  const writer = writeHead((slice.length >> 3) + 24, slice.firstBlock, slice.isIntra, picture, parameters, slice.qp)
  writer.append(slice.data, slice.from, slice.length)
  return escaped(unitHeader(picture), writer.bytes())
}

/** `count` macroblocks copied from the picture before. */
export const skipBlocks = (firstBlock: number, count: number, picture: Picture, parameters: ParameterSets): Buffer => {
  const writer = writeHead(24, firstBlock, false, picture, parameters, parameters.initialQp)
  writer.ue(count)
  writer.bits(1, 1)
  return escaped(unitHeader(picture), writer.bytes())
}
