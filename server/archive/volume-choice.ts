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

/** A stream stays where it is until another volume is emptier by this share of it. */
const margin = 0.01
/** From this share on a volume is full: what is recorded to it replaces its oldest. */
const minRoom = 0.01

const roomOf = (volume: Candidate): number =>
  volume.totalBytes === 0 ? 0 : (volume.freeBytes - reserveOf(volume)) / volume.totalBytes

const ageOf = ({ oldest }: Candidate): number => oldest ?? Infinity

const pick = (near: readonly Candidate[], last: number | undefined): number | undefined =>
  (near.find(({ id }) => id === last) ?? near.toSorted((a, b) => a.streams - b.streams || a.id - b.id)[0])?.id

/**
 * Where a stream's next chunk goes: to the emptiest volume by its share, or, once all are full, to the one with the
 * oldest chunk, so that the oldest of all goes first. It stays where it was for as long as that is nearly as good.
 */
export const chooseVolume = (volumes: readonly Candidate[], last: number | undefined): number | undefined => {
  const open = volumes.filter((volume) => roomOf(volume) >= minRoom)
  if (open.length > 0) {
    const most = Math.max(...open.map(roomOf))
    return pick(
      open.filter((volume) => most - roomOf(volume) <= margin),
      last,
    )
  }
  const oldest = Math.min(...volumes.map(ageOf))
  return pick(
    volumes.filter((volume) => ageOf(volume) === oldest || ageOf(volume) - oldest <= hourMs),
    last,
  )
}
