import { withoutEscapes } from './bits.ts'
import { boxesIn, makeBox, type Box } from './boxes.ts'
import { unitsIn, withoutTrailingZeros, type Fragment } from './fragments.ts'
import { h265Arrays, h265Sets, isH265, readInit, trackIdOf, type Init, type Track } from './init.ts'
import { fields } from './movie-boxes.ts'
import { isSequenceSet, sequenceFactsIn, type SequenceFacts } from './sequence-set.ts'

/** The types of parameter sets of H.264 (ITU-T H.264, table 7-1). */
const [h264Sequence, h264Picture] = [7, 8]
const h265Sequence = 33

/** What an avcC has room for: sequence parameter sets, and bytes of a set. */
const [maxSets, maxSetBytes] = [31, 0xffff]

const typeOf = ([first = 0]: Uint8Array, ofH265: boolean): number => (ofH265 ? (first >> 1) & 0x3f : first & 0x1f)

type Sets = Map<number, Buffer[]>

/** The parameter sets of a fragment's first picture by type, each once, and at most one more than there may be. */
const setsIn = (fragment: Fragment, ofH265: boolean): Sets => {
  const wanted = ofH265 ? h265Sets : [h264Sequence, h264Picture]
  const found: Sets = new Map(wanted.map((type) => [type, []]))
  for (const unit of unitsIn(fragment)) {
    const known = found.get(typeOf(unit, ofH265))
    if (known === undefined || known.length > maxSets) continue
    const set = withoutTrailingZeros(unit)
    if (!known.some((other) => other.equals(set))) known.push(set)
  }
  return found
}

/** The sequence parameter sets of a fragment's first picture, as copies that don't keep the fragment in memory. */
export const sequenceSetsIn = (fragment: Fragment, { video }: Init): Buffer[] => {
  const ofH265 = isH265(video)
  const all = [...setsIn(fragment, ofH265).values()].flat()
  return all.filter((set) => isSequenceSet(set, ofH265)).map((set) => Buffer.from(set))
}

/** NAL units, each after a 16-bit length. */
const withLengths = (units: readonly Buffer[]): Buffer =>
  Buffer.concat(units.flatMap((unit) => [fields([2, unit.length]), unit]))

/** Profiles whose avcC ends without the chroma format and the bit depths (ISO/IEC 14496-15, 5.3.3.1.2). */
const profilesOf420 = new Set([66, 77, 88])

/** `before`: the content of the box so far. `facts`: of `sequenceSet`, the first of those in `sets`. */
type Configuration = { before: Buffer; sets: Sets; sequenceSet: Buffer; facts: SequenceFacts }

/** The content of an avcC. */
const h264Configuration = ({ before, sets, sequenceSet, facts }: Configuration): Buffer => {
  const [profile = 0, constraints = 0, level = 0] = sequenceSet.subarray(1)
  const [sequence, picture] = [sets.get(h264Sequence) ?? [], sets.get(h264Picture) ?? []]
  const [luma, chroma] = facts.bitDepths
  return Buffer.concat([
    fields([1, 1], [1, profile], [1, constraints], [1, level], [1, before[4] ?? 0xff], [1, 0xe0 | sequence.length]),
    withLengths(sequence),
    fields([1, picture.length]),
    withLengths(picture),
    profilesOf420.has(profile)
      ? Buffer.alloc(0)
      : fields([1, 0xfc | facts.chromaFormat], [1, 0xf8 | (luma - 8)], [1, 0xf8 | (chroma - 8)], [1, 0]),
  ])
}

/** The content of an hvcC (ISO/IEC 14496-15, 8.3.3.1), by a sequence parameter set (ITU-T H.265, 7.3.2.2.1). */
const h265Configuration = ({ before, sets, sequenceSet, facts }: Configuration): Buffer => {
  const data = withoutEscapes(sequenceSet)
  const [, , layers = 0] = data
  const [luma, chroma] = facts.bitDepths
  const arrays = h265Arrays(before, { type: 'hvcC', start: 0, payload: 0, end: before.length })
  const ofSets = h265Sets.map((type) => {
    const array = arrays.find((each) => each.type === type)
    return { head: array?.head ?? 0x80 | type, units: sets.get(type) ?? [] }
  })
  const all = [...ofSets, ...arrays.filter(({ type }) => !h265Sets.includes(type))].filter(
    ({ units }) => units.length > 0,
  )
  return Buffer.concat([
    fields([1, 1]),
    data.subarray(3, 15),
    // Unknown: the least segment of a picture, what of it can be decoded at once, the frame rate.
    fields([2, 0xf000], [1, 0xfc], [1, 0xfc | facts.chromaFormat]),
    fields([1, 0xf8 | Math.min(7, luma - 8)], [1, 0xf8 | Math.min(7, chroma - 8)], [2, 0]),
    fields([1, ((((layers >> 1) & 7) + 1) << 3) | ((layers & 1) << 2) | ((before[21] ?? 0) & 3)], [1, all.length]),
    ...all.flatMap(({ head, units }) => [fields([1, head], [2, units.length]), withLengths(units)]),
  ])
}

/** Where the children of a box begin, in bytes of its payload. */
const childrenAt = new Map([
  ['stsd', 8],
  ['avc1', 78],
  ['hvc1', 78],
  ['hev1', 78],
])

/** The boxes from moov to the configuration of the decoder, each in the one before; empty if one is missing. */
const pathTo = (bytes: Buffer, { id, codec }: Track, configuration: string): Box[] => {
  const path: Box[] = []
  let [from, to] = [0, bytes.length]
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', codec.slice(0, 4), configuration]) {
    const isNext = (box: Box) => box.type === type && (type !== 'trak' || trackIdOf(bytes, box) === id)
    const box = boxesIn(bytes, from, to).find(isNext)
    if (box === undefined) return []
    path.push(box)
    from = box.payload + (childrenAt.get(type) ?? 0)
    to = box.end
  }
  return path
}

/** Writes the size of the pictures into `head`, the bytes of an init before the configuration. */
const writeSize = (head: Buffer, { trak, entry }: { trak: Box; entry: Box }, facts: SequenceFacts, aspect: number) => {
  const [width, height] = [entry.payload + 24, entry.payload + 26]
  if (head.readUInt16BE(width) === facts.width && head.readUInt16BE(height) === facts.height) return
  head.writeUInt16BE(facts.width, width)
  head.writeUInt16BE(facts.height, height)
  // Its boxes after tkhd aren't whole here, so that they can't be read.
  const [tkhd] = boxesIn(head, trak.payload, head.length)
  if (tkhd?.type !== 'tkhd') return
  head.writeUInt32BE(Math.min(0xffffffff, Math.round(facts.width * aspect * 0x10000)), tkhd.end - 8)
  head.writeUInt32BE(facts.height * 0x10000, tkhd.end - 4)
}

/**
 * The init with the parameter sets of a fragment's first picture in place of its own of the same types. Undefined if
 * they can't be read.
 */
export const withSetsOf = (fragment: Fragment, { bytes, video }: Init): Init | undefined => {
  const ofH265 = isH265(video)
  const sets = setsIn(fragment, ofH265)
  const [sequenceSet] = sets.get(ofH265 ? h265Sequence : h264Sequence) ?? []
  const facts = sequenceSet && sequenceFactsIn(sequenceSet, ofH265)
  const path = pathTo(bytes, video, ofH265 ? 'hvcC' : 'avcC')
  const [trak, entry, box] = [path[1], path.at(-2), path.at(-1)]
  if (sequenceSet === undefined || facts === undefined) return undefined
  if (trak === undefined || entry === undefined || box === undefined) return undefined
  for (const [type, units] of sets) {
    if (units.length > maxSets || units.some(({ length }) => length > maxSetBytes)) return undefined
    if (units.length === 0) units.push(...video.parameterSets.filter((set) => typeOf(set, ofH265) === type))
  }
  const configure = ofH265 ? h265Configuration : h264Configuration
  const before = bytes.subarray(box.payload, box.end)
  const configuration = makeBox(box.type, configure({ before, sets, sequenceSet, facts }))
  const head = Buffer.from(bytes.subarray(0, box.start))
  const grown = configuration.length - (box.end - box.start)
  for (const { start } of path.slice(0, -1)) head.writeUInt32BE(head.readUInt32BE(start) + grown, start)
  writeSize(head, { trak, entry }, facts, video.sampleAspect)
  return readInit(Buffer.concat([head, configuration, bytes.subarray(box.end)]))
}
