import { hourMs } from '../durations.ts'
import { reserveOf } from './volume-files.ts'

/** A volume that takes chunks. `streams`: how many record to it; `oldest`: its oldest chunk, epoch milliseconds. */
export type Candidate = {
  id: number
  freeBytes: number
  totalBytes: number
  streams: number
  oldest: number | undefined
}

/** A stream changes volumes only if another is emptier by this share. */
const margin = 0.01
/** A volume with less free space than this share is full: new recordings replace its oldest. */
const minFree = 0.01

const freeOf = (volume: Candidate): number =>
  volume.totalBytes === 0 ? 0 : (volume.freeBytes - reserveOf(volume)) / volume.totalBytes

const ageOf = ({ oldest }: Candidate): number => oldest ?? Infinity

const pick = (near: readonly Candidate[], last: number | undefined): number | undefined =>
  (near.find(({ id }) => id === last) ?? near.toSorted((a, b) => a.streams - b.streams || a.id - b.id)[0])?.id

/**
 * Chooses the volume for a stream's next chunk: the emptiest by share, or, once all are full, the one with the oldest
 * chunk, so that the oldest of all is deleted first. Stays on the last one while that is nearly as good.
 */
export const chooseVolume = (volumes: readonly Candidate[], last: number | undefined): number | undefined => {
  const open = volumes.filter((volume) => freeOf(volume) >= minFree)
  if (open.length > 0) {
    const most = Math.max(...open.map(freeOf))
    return pick(
      open.filter((volume) => most - freeOf(volume) <= margin),
      last,
    )
  }
  const oldest = Math.min(...volumes.map(ageOf))
  return pick(
    volumes.filter((volume) => ageOf(volume) === oldest || ageOf(volume) - oldest <= hourMs),
    last,
  )
}
