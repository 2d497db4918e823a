import { boxAt, boxesIn, type Box } from './boxes.ts'
import { isH265, type Init } from './init.ts'
import { readSamples } from './samples.ts'
import { isSequenceSet } from './sequence-set.ts'

export { readInit, type Init, type Track } from './init.ts'

/** One track of a fragment; times in units of the track's time scale. `isSync`: its first sample is a keyframe. */
type FragmentTrack = {
  id: number
  decodeTime: number
  /** That of the sample which is shown first; with B-frames before or after `decodeTime`. */
  presentationTime: number
  hasLeadingPictures: boolean
  duration: number
  sizes: number[]
  dataOffset: number
  isSync: boolean
}

/** One moof with its mdat; times in seconds of media time. */
export type Fragment = {
  bytes: Buffer
  /** The presentation time of the picture that is shown first. */
  start: number
  duration: number
  frames: number
  /** The duration of the longest track. */
  span: number
  /** The first picture is a keyframe. */
  isIndependent: boolean
  /** Pictures after the first one are shown before it. */
  hasLeadingPictures: boolean
  hasSound: boolean
  /** Seconds by which sound begins before the pictures; 0 without sound. */
  soundLead: number
  /** The bytes of the first picture. */
  picture: { offset: number; length: number }
}

const readTraf = (bytes: Buffer, traf: Box): FragmentTrack | undefined => {
  const read = readSamples(bytes, traf)
  if (read === undefined) return undefined
  const { id, decodeTime, samples } = read
  const [head] = samples
  let duration = 0
  let earliest = Infinity
  for (const sample of samples) {
    earliest = Math.min(earliest, duration + sample.offset)
    duration += sample.duration
  }
  return {
    id,
    decodeTime,
    presentationTime: decodeTime + (head === undefined ? 0 : earliest),
    hasLeadingPictures: head !== undefined && earliest < head.offset,
    duration,
    sizes: samples.map(({ size }) => size),
    dataOffset: head?.at ?? 0,
    isSync: head?.isSync === true,
  }
}

/** Undefined without a picture. */
export const readFragment = (bytes: Buffer, init: Init): Fragment | undefined => {
  const moof = boxAt(bytes, 'moof')
  if (moof === undefined) return undefined
  const tracks = boxesIn(bytes, moof.payload, moof.end)
    .filter((box) => box.type === 'traf')
    .flatMap((traf) => readTraf(bytes, traf) ?? [])
  const video = tracks.find((track) => track.id === init.video.id)
  if (video === undefined || video.sizes.length === 0) return undefined
  const start = (video.presentationTime - init.video.editStart) / init.video.timescale
  const audio = init.tracks.find((track) => track.kind === 'audio')
  const sound = tracks.find((track) => track.id === audio?.id && track.sizes.length > 0)
  const soundStart =
    audio === undefined || sound === undefined ? start : (sound.decodeTime - audio.editStart) / audio.timescale
  return {
    bytes,
    start,
    duration: video.duration / init.video.timescale,
    frames: video.sizes.length,
    span: Math.max(
      ...tracks.map((track) => track.duration / (init.tracks.find(({ id }) => id === track.id)?.timescale ?? Infinity)),
    ),
    isIndependent: video.isSync,
    hasLeadingPictures: video.hasLeadingPictures,
    hasSound: sound !== undefined,
    soundLead: Math.max(0, start - soundStart),
    picture: { offset: moof.start + video.dataOffset, length: video.sizes[0] ?? 0 },
  }
}

/** A NAL unit without zero bytes behind it, which are none of it (ITU-T H.264 and H.265, annex B). */
export const withoutTrailingZeros = (unit: Buffer): Buffer =>
  unit.subarray(0, unit.findLastIndex((byte) => byte !== 0) + 1)

/** The NAL units of the first picture. */
export const unitsIn = function* ({ bytes, picture }: Fragment): Generator<Buffer> {
  const end = Math.min(picture.offset + picture.length, bytes.length)
  let at = picture.offset
  while (at + 5 <= end) {
    const length = bytes.readUInt32BE(at)
    if (length === 0) return
    yield bytes.subarray(at + 4, Math.min(at + 4 + length, end))
    at += 4 + length
  }
}

/**
 * Whether the first picture has a sequence parameter set that neither the init nor `known` has, so that a new init is
 * needed.
 */
export const hasOtherParameters = (fragment: Fragment, { video }: Init, known: readonly Buffer[] = []): boolean => {
  const ofH265 = isH265(video)
  for (const unit of unitsIn(fragment)) {
    if (!isSequenceSet(unit, ofH265)) continue
    const set = withoutTrailingZeros(unit)
    return ![...video.parameterSets, ...known].some((each) => withoutTrailingZeros(each).equals(set))
  }
  return false
}
