import { boxAt, boxesIn, bytesOfBox, makeBox, type Box } from './boxes.ts'
import { readFragment } from './fragments.ts'
import { trackIdOf, type Init } from './init.ts'
import { defaultsIn, rowsIn, trackIdOfTraf, withDataNearer } from './samples.ts'

/** Whether a box of an init belongs to a track, or to all of them. */
const isOfTrack = (bytes: Buffer, box: Box, id: number): boolean => {
  if (box.type === 'trak') return trackIdOf(bytes, box) === id
  if (box.type === 'trex') return bytes.readUInt32BE(box.payload + 4) === id
  return true
}

/** The init without its sound: players fail on a range in which only some runs have sound. */
export const initWithoutSound = (init: Init): Init => {
  const { bytes, video } = init
  const videoOnly = (parent: Box): Buffer =>
    makeBox(
      parent.type,
      ...boxesIn(bytes, parent.payload, parent.end)
        .filter((box) => isOfTrack(bytes, box, video.id))
        .map((box) => (box.type === 'mvex' ? videoOnly(box) : bytesOfBox(bytes, box))),
    )
  const boxes = boxesIn(bytes).map((box) => (box.type === 'moov' ? videoOnly(box) : bytesOfBox(bytes, box)))
  return { ...init, bytes: Buffer.concat(boxes), tracks: [video] }
}

/** Adds the sound track of another init to `pictures`, an init without sound. */
export const withSoundOf = (pictures: Buffer, { bytes, tracks }: Init): Buffer => {
  const moov = boxAt(bytes, 'moov')
  const sound = tracks.find((track) => track.kind === 'audio')
  if (moov === undefined || sound === undefined) return pictures
  const ofSound = (type: string, parent: Box): Buffer[] =>
    boxesIn(bytes, parent.payload, parent.end)
      .filter((box) => box.type === type && isOfTrack(bytes, box, sound.id))
      .map((box) => bytesOfBox(bytes, box))
  const mvex = boxAt(bytes, 'mvex', moov)
  const withOther = (box: Box): Buffer[] => {
    if (box.type !== 'mvex') return [bytesOfBox(pictures, box)]
    const trex = mvex === undefined ? [] : ofSound('trex', mvex)
    return [...ofSound('trak', moov), makeBox('mvex', pictures.subarray(box.payload, box.end), ...trex)]
  }
  return Buffer.concat(
    boxesIn(pictures).map((top) =>
      top.type === 'moov'
        ? makeBox('moov', ...boxesIn(pictures, top.payload, top.end).flatMap(withOther))
        : bytesOfBox(pictures, top),
    ),
  )
}

/** `ticks`: units of the track. `moofShrunkBy`: in bytes. */
const shiftTraf = (traf: Buffer, ticks: number, moofShrunkBy: number): Buffer => {
  const changed = withDataNearer(traf, moofShrunkBy)
  const [outer] = boxesIn(changed)
  if (outer === undefined) return changed
  for (const box of boxesIn(changed, outer.payload, outer.end)) {
    if (box.type === 'tfdt' && changed[box.payload] === 1) {
      const moved = changed.readBigInt64BE(box.payload + 4) + BigInt(ticks)
      changed.writeBigUInt64BE(moved < 0n ? 0n : moved, box.payload + 4)
    } else if (box.type === 'tfdt') {
      changed.writeUInt32BE(Math.max(0, changed.readUInt32BE(box.payload + 4) + ticks), box.payload + 4)
    }
  }
  return changed
}

/** Shifts decode times by `seconds`, not below 0. Removed sound stays in mdat, unreferenced. */
export const rewriteSegment = (
  segment: Buffer,
  init: Init,
  change: { seconds: number; dropsSound: boolean },
): Buffer => {
  const timescales = new Map(init.tracks.map((track) => [track.id, track.timescale]))
  const parts = boxesIn(segment).map((box) => {
    if (box.type !== 'moof') return bytesOfBox(segment, box)
    const children = boxesIn(segment, box.payload, box.end)
    const kept = children.filter(
      (child) => child.type !== 'traf' || !change.dropsSound || trackIdOfTraf(segment, child) === init.video.id,
    )
    const dropped = children.filter((child) => !kept.includes(child))
    const shrunkBy = dropped.reduce((sum, child) => sum + child.end - child.start, 0)
    return makeBox(
      'moof',
      ...kept.map((child) => {
        if (child.type !== 'traf') return bytesOfBox(segment, child)
        return shiftTraf(
          bytesOfBox(segment, child),
          Math.round(change.seconds * (timescales.get(trackIdOfTraf(segment, child)) ?? 0)),
          shrunkBy,
        )
      }),
    )
  })
  return Buffer.concat(parts)
}

export const segmentWithoutSound = (segment: Buffer, init: Init): Buffer =>
  rewriteSegment(segment, init, { seconds: 0, dropsSound: true })

/** A NAL unit with its length. */
const withLength = (content: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content])
}

/**
 * The position of the size of a traf's first sample: in its row, or in the defaults if it is the only sample; undefined
 * if samples share their size.
 */
const firstSizePosition = (bytes: Buffer, traf: Box): number | undefined => {
  const [tfhd, trun] = [boxAt(bytes, 'tfhd', traf), boxAt(bytes, 'trun', traf)]
  if (tfhd === undefined || trun === undefined) return undefined
  const { count, first, sizeAt } = rowsIn(bytes, trun)
  if (sizeAt !== undefined) return first + sizeAt
  const isOnly =
    count === 1 && boxesIn(bytes, traf.payload, traf.end).filter(({ type }) => type === 'trun').length === 1
  return isOnly ? defaultsIn(bytes, tfhd).sizePosition : undefined
}

/**
 * A moof whose first picture, at `pictureOffset`, has `grown` bytes more, so that the data after it has moved.
 * Undefined if the size of that picture can't be changed.
 */
const grownMoof = (moof: Buffer, init: Init, pictureOffset: number, grown: number): Buffer | undefined => {
  const changed = Buffer.from(moof)
  const [box] = boxesIn(changed)
  const trafs = boxesIn(changed, box?.payload, box?.end).filter(({ type }) => type === 'traf')
  const video = trafs.find((traf) => trackIdOfTraf(changed, traf) === init.video.id)
  const sizePosition = video && firstSizePosition(changed, video)
  if (sizePosition === undefined) return undefined
  changed.writeUInt32BE(changed.readUInt32BE(sizePosition) + grown, sizePosition)
  for (const trun of trafs.flatMap((traf) => boxesIn(changed, traf.payload, traf.end))) {
    if (trun.type !== 'trun' || !rowsIn(changed, trun).hasDataOffset) continue
    const offset = changed.readInt32BE(trun.payload + 8)
    if (offset > pictureOffset) changed.writeInt32BE(offset + grown, trun.payload + 8)
  }
  return changed
}

/** Puts the parameter sets of the init before the keyframe with which a fragment begins. */
export const withParameterSets = (segment: Buffer, init: Init): Buffer => {
  const { parameterSets } = init.video
  if (parameterSets.length === 0) return segment
  const added = Buffer.concat(parameterSets.map(withLength))
  const parts: Buffer[] = []
  /** Where the keyframe begins in the mdat that comes next. */
  let keyframeAt: number | undefined
  for (const box of boxesIn(segment)) {
    const bytes = bytesOfBox(segment, box)
    if (box.type === 'moof') {
      const next = boxesIn(segment, box.end)[0]
      const fragment = next === undefined ? undefined : readFragment(segment.subarray(box.start, next.end), init)
      const grown =
        fragment?.isIndependent === true ? grownMoof(bytes, init, fragment.picture.offset, added.length) : undefined
      keyframeAt = fragment === undefined || grown === undefined ? undefined : fragment.picture.offset - bytes.length
      parts.push(grown ?? bytes)
    } else if (box.type === 'mdat' && keyframeAt !== undefined) {
      parts.push(makeBox('mdat', bytes.subarray(8, keyframeAt), added, bytes.subarray(keyframeAt)))
      keyframeAt = undefined
    } else parts.push(bytes)
  }
  return Buffer.concat(parts)
}

/** Where a traf has its composition offsets, the last number of each row (ISO/IEC 14496-12, 8.8.8). */
const offsetPositions = (bytes: Buffer, traf: Box): number[] =>
  boxesIn(bytes, traf.payload, traf.end)
    .filter((box) => box.type === 'trun' && (bytes.readUInt32BE(box.payload) & 0x800) !== 0)
    .flatMap((trun) => {
      const { count, first, stride } = rowsIn(bytes, trun)
      return Array.from({ length: count }, (_, row) => first + (row + 1) * stride - 4)
    })

/**
 * Makes all composition offsets positive, by earlier decode times: ffmpeg delays pictures, but not sound, by the most
 * negative offset.
 */
export const withPositiveOffsets = (segment: Buffer, { video }: Init): Buffer => {
  const changed = Buffer.from(segment)
  const trafs = boxesIn(changed)
    .filter((box) => box.type === 'moof')
    .flatMap((moof) => boxesIn(changed, moof.payload, moof.end))
    .flatMap((traf) => {
      const tfdt = boxAt(changed, 'tfdt', traf)
      const isVideo = traf.type === 'traf' && trackIdOfTraf(changed, traf) === video.id
      return isVideo && tfdt !== undefined && changed[tfdt.payload] === 1 ? [{ traf, tfdt }] : []
    })
    .map(({ traf, tfdt }) => ({ tfdt, offsets: offsetPositions(changed, traf) }))
  let leastOffset = 0
  for (const { offsets } of trafs)
    for (const position of offsets) leastOffset = Math.min(leastOffset, changed.readInt32BE(position))
  if (leastOffset === 0) return segment
  for (const { tfdt, offsets } of trafs) {
    if (offsets.length === 0) continue
    changed.writeBigInt64BE(changed.readBigInt64BE(tfdt.payload + 4) + BigInt(leastOffset), tfdt.payload + 4)
    for (const position of offsets) changed.writeInt32BE(changed.readInt32BE(position) - leastOffset, position)
  }
  return changed
}
