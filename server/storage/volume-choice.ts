import { hourMs } from '../durations.ts'
import { reserveOf, type Space } from './volume-files.ts'

/**
 * A volume that takes chunks. `streams`: how many record to it; `nextDeleted`: the start of the chunk that is deleted
 * next there, epoch ms; undefined if none can be.
 */
export type Candidate = {
  id: number
  freeBytes: number
  totalBytes: number
  streams: number
  nextDeleted: number | undefined
}

/** A stream moves to another volume only if that has more free space by this share of its size. */
const margin = 0.01
/** A volume with less free space than this share of its size is full: new recordings replace its oldest. */
const minFree = 0.01

/** Free space above the reserve, as a share of the size. */
const freeOf = (volume: Pick<Space, 'freeBytes' | 'totalBytes'>): number =>
  volume.totalBytes === 0 ? 0 : (volume.freeBytes - reserveOf(volume)) / volume.totalBytes

export const hasSpace = (volume: Pick<Space, 'freeBytes' | 'totalBytes'>): boolean => freeOf(volume) >= minFree

const nextDeletedOf = ({ nextDeleted }: Candidate): number => nextDeleted ?? Infinity

/** Among nearly equal volumes: the last one, or else the one with the fewest streams. */
const pick = (near: readonly Candidate[], last: number | undefined): number | undefined =>
  (near.find(({ id }) => id === last) ?? near.toSorted((a, b) => a.streams - b.streams || a.id - b.id)[0])?.id

/**
 * Chooses the volume for a stream's next chunk: the one with the most free space, or, once all are full, the one that
 * deletes the oldest chunk next. The one that has the oldest chunk would be chosen for good while that is locked. Stays
 * on the last volume while it is nearly as good.
 */
export const chooseVolume = (volumes: readonly Candidate[], last: number | undefined): number | undefined => {
  const open = volumes.filter(hasSpace)
  if (open.length > 0) {
    const freest = Math.max(...open.map(freeOf))
    return pick(
      open.filter((volume) => freest - freeOf(volume) <= margin),
      last,
    )
  }
  const oldest = Math.min(...volumes.map(nextDeletedOf))
  return pick(
    volumes.filter((volume) => nextDeletedOf(volume) === oldest || nextDeletedOf(volume) - oldest <= hourMs),
    last,
  )
}
