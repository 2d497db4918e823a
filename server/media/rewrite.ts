import { boxAt, boxesIn, makeBox, type Box } from './boxes.ts'
import type { Init } from './fragments.ts'

const slice = (bytes: Buffer, box: Box): Buffer => bytes.subarray(box.start, box.end)

const trackIdOf = (bytes: Buffer, trak: Box): number => {
  const tkhd = boxAt(bytes, 'tkhd', trak)
  return tkhd === undefined ? 0 : bytes.readUInt32BE(tkhd.payload + (bytes[tkhd.payload] === 1 ? 20 : 12))
}

const isOfTrack = (bytes: Buffer, box: Box, id: number): boolean => {
  if (box.type === 'trak') return trackIdOf(bytes, box) === id
  if (box.type === 'trex') return bytes.readUInt32BE(box.payload + 4) === id
  return true
}

/** The init without its sound, for a stretch in which some runs have none: mixing them is fatal in players (playback.md, Ingest). */
export const silentInit = (init: Init): Buffer => {
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

const shiftTraf = (traf: Buffer, ticks: number, headerShrunkBy: number): Buffer => {
  const changed = Buffer.from(traf)
  const [inside] = boxesIn(changed)
  if (inside === undefined) return changed
  for (const box of boxesIn(changed, inside.payload, inside.end)) {
    if (box.type === 'tfdt' && changed[box.payload] === 1) {
      const moved = changed.readBigUInt64BE(box.payload + 4) + BigInt(ticks)
      changed.writeBigUInt64BE(moved < 0n ? 0n : moved, box.payload + 4)
    } else if (box.type === 'tfdt') {
      changed.writeUInt32BE(Math.max(0, changed.readUInt32BE(box.payload + 4) + ticks), box.payload + 4)
    }
    if (box.type === 'trun' && changed.readUInt32BE(box.payload) & 0x1) {
      changed.writeInt32BE(changed.readInt32BE(box.payload + 8) - headerShrunkBy, box.payload + 8)
    }
  }
  return changed
}

/**
 * A segment (any number of moof + mdat) with its decode times moved by `seconds`, and without sound where `silent`.
 * Nothing begins before 0. The bytes of the sound stay in mdat, where nothing refers to them.
 */
export const rewriteSegment = (segment: Buffer, init: Init, change: { seconds: number; silent: boolean }): Buffer => {
  const timescales = new Map(init.tracks.map((track) => [track.id, track.timescale]))
  const parts = boxesIn(segment).map((box) => {
    if (box.type !== 'moof') return slice(segment, box)
    const children = boxesIn(segment, box.payload, box.end)
    const idOf = (traf: Box): number => {
      const tfhd = boxAt(segment, 'tfhd', traf)
      return tfhd === undefined ? 0 : segment.readUInt32BE(tfhd.payload + 4)
    }
    const kept = children.filter((child) => child.type !== 'traf' || !change.silent || idOf(child) === init.video.id)
    const dropped = children.filter((child) => !kept.includes(child))
    const shrunkBy = dropped.reduce((sum, child) => sum + child.end - child.start, 0)
    return makeBox(
      'moof',
      ...kept.map((child) => {
        if (child.type !== 'traf') return slice(segment, child)
        return shiftTraf(slice(segment, child), Math.round(change.seconds * (timescales.get(idOf(child)) ?? 0)), shrunkBy)
      }),
    )
  })
  return Buffer.concat(parts)
}
