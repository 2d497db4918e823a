import { join } from 'node:path'
import { openStore } from '../server/store/store.ts'
import { createStreamStore, type StreamRow } from '../server/streams/stream-store.ts'
import { streamsSteps } from '../server/streams/tables.ts'
import { usersSteps } from '../server/users/tables.ts'
import { repeatableRandom } from './harness.ts'

const sites = [
  'Gate',
  'Yard',
  'Warehouse',
  'Platform',
  'Lobby',
  'Car park',
  'Loading bay',
  'Roof',
  'Corridor',
  'Checkout',
]
const areas = ['North', 'South', 'East', 'West', 'Main', 'Old town', 'Harbour', 'Airport']
const tagNames = [
  'outdoor',
  'indoor',
  'critical',
  'entrance',
  'perimeter',
  'parking',
  'counting',
  'thermal',
  'dome',
  'plates',
  'staff only',
  'night shift',
]
/** When the first stream was added; each next one follows a minute later. */
const firstAdded = Date.UTC(2026, 0, 1)

/**
 * Streams that need no process: most are on demand without viewers, a third are paused, and a few have a source that is
 * refused at once. Seven of ten have tags, eight a location.
 */
export function manyStreams(count: number): StreamRow[] {
  const random = repeatableRandom(10_000)
  const oneOf = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  return Array.from({ length: count }, (_, index) => {
    const part = random()
    const number = String(index + 1).padStart(5, '0')
    const area = oneOf(areas)
    return {
      uid: `cam-${number}`,
      name: `${area} ${oneOf(sites).toLowerCase()} ${number}`,
      source:
        part < 0.02 ? `rtsp://127.0.0.1/${number}` : `rtsp://viewer:secret@192.0.2.${(index % 250) + 1}/${number}`,
      tags:
        random() < 0.3 ? [] : [...new Set(Array.from({ length: 1 + Math.floor(random() * 3) }, () => oneOf(tagNames)))],
      location: random() < 0.2 ? '' : `${area} district, building ${1 + Math.floor(random() * 40)}`,
      marker: '',
      isArchived: random() < 0.6,
      depthHours: random() < 0.5 ? -1 : 24 * 7,
      isOnDemand: part >= 0.02,
      isPaused: part > 0.66,
      owner: null,
      createdAt: firstAdded + index * 60_000,
    }
  })
}

/** Writes the streams into the database of a stopped server. */
export async function seedStreams(dataDir: string, count: number): Promise<void> {
  const schema = new Map([
    ['users', usersSteps],
    ['streams', streamsSteps],
  ])
  const store = await openStore(join(dataDir, 'sightline.db'), undefined, schema)
  const streams = await createStreamStore(store)
  for (const row of manyStreams(count)) await streams.create(row)
  await store.close()
}
