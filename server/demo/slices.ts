import { readBits, writeBits, type BitReader } from './bits.ts'

/** What slice headers are written by, from the parameter sets (ITU-T H.264 §7.3.2). */
export type Parameters = { frameNumberBits: number; initialQp: number; ppsId: number }

/** A coded slice of one picture, cut out so that it can stand in another: its macroblocks' bits, and what its header said of them. */
export type Slice = { firstBlock: number; qp: number; data: Uint8Array; from: number; length: number }

/** Which picture a slice is put into. */
export type Picture = { isKey: boolean; frameNumber: number; keyId: number }

const withoutEscapes = (nal: Uint8Array): Uint8Array => {
  const out = new Uint8Array(nal.length)
  let length = 0
  let zeros = 0
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    out[length] = byte
    length += 1
  }
  return out.subarray(0, length)
}

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

/** The units of an Annex B stream, without start codes. */
export const unitsOf = (stream: Buffer): Buffer[] => {
  const starts: number[] = []
  for (let at = stream.indexOf('000001', 0, 'hex'); at >= 0; at = stream.indexOf('000001', at + 3, 'hex'))
    starts.push(at + 3)
  return starts.map((start, place) => {
    let end = (starts[place + 1] ?? stream.length + 3) - 3
    while (end > start && stream[end - 1] === 0) end -= 1
    return stream.subarray(start, end)
  })
}

export const unitType = (unit: Uint8Array): number => (unit[0] ?? 0) & 0x1f

const readSequence = (unit: Uint8Array): number => {
  const reader = readBits(withoutEscapes(unit.subarray(4)))
  reader.ue()
  const frameNumberBits = reader.ue() + 4
  if (reader.ue() !== 2) throw new Error('Only pictures in the order of their coding can be composed')
  return frameNumberBits
}

/** Baseline as x264 writes it: no slice groups. Throws on what this composer couldn't write. */
export const readParameters = (sequence: Uint8Array, picture: Uint8Array): Parameters => {
  const reader = readBits(withoutEscapes(picture.subarray(1)))
  const ppsId = reader.ue()
  reader.ue()
  if (reader.bits(1) !== 0) throw new Error('Only CAVLC can be composed')
  reader.bits(1)
  if (reader.ue() !== 0) throw new Error('Slice groups can not be composed')
  reader.ue()
  reader.ue()
  reader.bits(3)
  return { frameNumberBits: readSequence(sequence), initialQp: 26 + reader.se(), ppsId }
}

const skipHeader = (reader: BitReader, parameters: Parameters): { firstBlock: number; qp: number } => {
  const firstBlock = reader.ue()
  const type = reader.ue() % 5
  if (type !== 2) throw new Error('Only intra slices can be cut out')
  reader.ue()
  reader.bits(parameters.frameNumberBits)
  reader.ue()
  reader.bits(2)
  const qp = parameters.initialQp + reader.se()
  if (reader.ue() !== 1) throw new Error('Slices filtered across their edges can not be composed')
  return { firstBlock, qp }
}

/** Cuts the macroblocks out of an IDR slice. */
export const cutSlice = (unit: Uint8Array, parameters: Parameters): Slice => {
  const data = withoutEscapes(unit.subarray(1))
  const reader = readBits(data)
  const { firstBlock, qp } = skipHeader(reader, parameters)
  let end = data.length * 8
  while (((data[(end - 1) >> 3] ?? 0) >> (7 - ((end - 1) & 7))) % 2 === 0) end -= 1
  return { firstBlock, qp, data, from: reader.at(), length: end - reader.at() }
}

/** Writes slice_type 2 or 0, as pictures here mix intra and predicted slices. */
const writeHead = (
  capacity: number,
  firstBlock: number,
  isIntra: boolean,
  picture: Picture,
  parameters: Parameters,
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

/** A slice put into a picture: a unit with its length before it, as MP4 has it. */
export const placeSlice = (slice: Slice, picture: Picture, parameters: Parameters): Buffer => {
  const writer = writeHead((slice.length >> 3) + 24, slice.firstBlock, true, picture, parameters, slice.qp)
  writer.append(slice.data, slice.from, slice.length)
  return escaped(unitHeader(picture), writer.bytes())
}

/** `count` macroblocks that stay as they were in the picture before. */
export const skipBlocks = (firstBlock: number, count: number, picture: Picture, parameters: Parameters): Buffer => {
  const writer = writeHead(24, firstBlock, false, picture, parameters, parameters.initialQp)
  writer.ue(count)
  writer.bits(1, 1)
  return escaped(unitHeader(picture), writer.bytes())
}
