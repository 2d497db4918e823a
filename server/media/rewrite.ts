import { boxAt, boxesIn, makeBox, type Box } from './boxes.ts'
import { readFragment } from './fragments.ts'
import { trackIdOf, type Init } from './init.ts'
import { rowsIn, trackIdOfTraf, withDataNearer } from './samples.ts'

const slice = (bytes: Buffer, box: Box): Buffer => bytes.subarray(box.start, box.end)

const isOfTrack = (bytes: Buffer, box: Box, id: number): boolean => {
  if (box.type === 'trak') return trackIdOf(bytes, box) === id
  if (box.type === 'trex') return bytes.readUInt32BE(box.payload + 4) === id
  return true
}

/** The init without its sound: players fail on a range in which only some runs have sound. */
export const initWithoutSound = (init: Init): Buffer => {
  const { bytes, video } = init
  const keep = (parent: Box): Buffer =>
    makeBox(
      parent.type,
      ...boxesIn(bytes, parent.payload, parent.end)
        .filter((box) => isOfTrack(bytes, box, video.id))
        .map((box) => (box.type === 'mvex' ? keep(box) : slice(bytes, box))),
    )
  return Buffer.concat(boxesIn(bytes).map((box) => (box.type === 'moov' ? keep(box) : slice(bytes, box))))
}

/** An init without sound, with the sound of another one. */
export const withSoundOf = (pictures: Buffer, { bytes, tracks }: Init): Buffer => {
  const moov = boxAt(bytes, 'moov')
  const sound = tracks.find((track) => track.kind === 'audio')
  if (moov === undefined || sound === undefined) return pictures
  const ofSound = (type: string, parent: Box): Buffer[] =>
    boxesIn(bytes, parent.payload, parent.end)
      .filter((box) => box.type === type && isOfTrack(bytes, box, sound.id))
      .map((box) => slice(bytes, box))
  const mvex = boxAt(bytes, 'mvex', moov)
  const withOther = (box: Box): Buffer[] => {
    if (box.type !== 'mvex') return [slice(pictures, box)]
    const trex = mvex === undefined ? [] : ofSound('trex', mvex)
    return [...ofSound('trak', moov), makeBox('mvex', pictures.subarray(box.payload, box.end), ...trex)]
  }
  return Buffer.concat(
    boxesIn(pictures).map((top) =>
      top.type === 'moov'
        ? makeBox('moov', ...boxesIn(pictures, top.payload, top.end).flatMap(withOther))
        : slice(pictures, top),
    ),
  )
}

const shiftTraf = (traf: Buffer, ticks: number, headerShrunkBy: number): Buffer => {
  const changed = withDataNearer(traf, headerShrunkBy)
  const [inside] = boxesIn(changed)
  if (inside === undefined) return changed
  for (const box of boxesIn(changed, inside.payload, inside.end)) {
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
    if (box.type !== 'moof') return slice(segment, box)
    const children = boxesIn(segment, box.payload, box.end)
    const kept = children.filter(
      (child) => child.type !== 'traf' || !change.dropsSound || trackIdOfTraf(segment, child) === init.video.id,
    )
    const dropped = children.filter((child) => !kept.includes(child))
    const shrunkBy = dropped.reduce((sum, child) => sum + child.end - child.start, 0)
    return makeBox(
      'moof',
      ...kept.map((child) => {
        if (child.type !== 'traf') return slice(segment, child)
        return shiftTraf(
          slice(segment, child),
          Math.round(change.seconds * (timescales.get(trackIdOfTraf(segment, child)) ?? 0)),
          shrunkBy,
        )
      }),
    )
  })
  return Buffer.concat(parts)
}

const unit = (content: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content])
}

/** Adjusts a moof whose first picture grew by `grown` bytes, so that later data in mdat has moved. */
const grownMoof = (moof: Buffer, init: Init, pictureOffset: number, grown: number): Buffer => {
  const changed = Buffer.from(moof)
  const [whole] = boxesIn(changed)
  for (const traf of boxesIn(changed, whole?.payload, whole?.end).filter((box) => box.type === 'traf')) {
    const isVideo = trackIdOfTraf(changed, traf) === init.video.id
    for (const [index, trun] of boxesIn(changed, traf.payload, traf.end)
      .filter((box) => box.type === 'trun')
      .entries()) {
      const flags = changed.readUInt32BE(trun.payload) & 0xffffff
      const offset = flags & 0x1 ? changed.readInt32BE(trun.payload + 8) : 0
      if (flags & 0x1 && offset > pictureOffset) changed.writeInt32BE(offset + grown, trun.payload + 8)
      if (!isVideo || index > 0) continue
      const size = trun.payload + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0) + (flags & 0x100 ? 4 : 0)
      changed.writeUInt32BE(changed.readUInt32BE(size) + grown, size)
    }
  }
  return changed
}

/** Puts the parameter sets of the init before each keyframe. */
export const withParameterSets = (segment: Buffer, init: Init): Buffer => {
  const { parameterSets } = init.video
  if (parameterSets.length === 0) return segment
  const added = Buffer.concat(parameterSets.map(unit))
  const parts: Buffer[] = []
  let picture: { inMdat: number } | undefined
  for (const box of boxesIn(segment)) {
    const bytes = slice(segment, box)
    if (box.type === 'moof') {
      const next = boxesIn(segment, box.end)[0]
      const fragment = next === undefined ? undefined : readFragment(segment.subarray(box.start, next.end), init)
      picture =
        fragment?.isIndependent !== true ? undefined : { inMdat: fragment.picture.offset - (box.end - box.start) }
      parts.push(
        fragment?.isIndependent !== true ? bytes : grownMoof(bytes, init, fragment.picture.offset, added.length),
      )
    } else if (box.type === 'mdat' && picture !== undefined) {
      parts.push(makeBox('mdat', bytes.subarray(8, picture.inMdat), added, bytes.subarray(picture.inMdat)))
      picture = undefined
    } else parts.push(bytes)
  }
  return Buffer.concat(parts)
}

/** The positions of the composition offsets of a traf (ISO/IEC 14496-12, 8.8.8). */
const offsetsIn = (bytes: Buffer, traf: Box): number[] =>
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
    .map(({ traf, tfdt }) => ({ tfdt, offsets: offsetsIn(changed, traf) }))
  let leastOffset = 0
  for (const { offsets } of trafs)
    for (const at of offsets) leastOffset = Math.min(leastOffset, changed.readInt32BE(at))
  if (leastOffset === 0) return segment
  for (const { tfdt, offsets } of trafs) {
    if (offsets.length === 0) continue
    changed.writeBigInt64BE(changed.readBigInt64BE(tfdt.payload + 4) + BigInt(leastOffset), tfdt.payload + 4)
    for (const at of offsets) changed.writeInt32BE(changed.readInt32BE(at) - leastOffset, at)
  }
  return changed
}
