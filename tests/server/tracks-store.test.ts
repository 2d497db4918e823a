import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Tracks } from '../../server/ingest/protocol.ts'
import { createBackgroundWrites } from '../../server/store/background-writes.ts'
import { streamsSteps } from '../../server/streams/tables.ts'
import { createTracksStore } from '../../server/streams/tracks-store.ts'
import { usersSteps } from '../../server/users/tables.ts'
import { memoryStore } from './memory-store.ts'

const tracks: Tracks = { format: 'rtsp', tracks: [{ type: 'video', codec: 'h264' }], hasFarKeyframes: false }
const source = 'rtsp://ann:secret@camera.example/live'

const open = async () => {
  const store = await memoryStore(
    new Map([
      ['users', usersSteps],
      ['streams', streamsSteps],
    ]),
  )
  await store.run(
    `INSERT INTO streams (uid, name, source, tags, location, marker, is_archived, depth_hours, is_on_demand, is_paused,
       created_at, needle) VALUES ('door', 'Door', ?, '[]', '', '', 1, -1, 0, 0, 0, '')`,
    source,
  )
  const writes = createBackgroundWrites(store)
  return { store, writes, known: createTracksStore(store, writes) }
}

test('tracks are known again for the same source alone, of a stream and of its substream', async () => {
  const { store, writes, known } = await open()
  const changed = { ...tracks, sound: 'away' } as const
  known.store('door', source, tracks)
  known.store('door.sub', `${source}2`, tracks)
  known.store('door', source, changed)
  known.store('gone', source, tracks)
  await writes.written()
  expect(await known.read('door', source)).toEqual(changed)
  expect(await known.read('door.sub', `${source}2`)).toEqual(tracks)
  expect(await known.read('door', `${source}2`)).toBeUndefined()
  const rows = await store.all(z.unknown(), 'SELECT * FROM stream_tracks')
  expect(rows.length).toBe(2)
  expect(JSON.stringify(rows)).not.toContain('secret')

  await store.run("DELETE FROM streams WHERE uid = 'door'")
  expect(await store.all(z.unknown(), 'SELECT * FROM stream_tracks')).toEqual([])
})

test('sound that could not be decoded is not remembered', async () => {
  const { writes, known } = await open()
  known.store('door', source, { ...tracks, sound: 'unusable' })
  await writes.written()
  expect(await known.read('door', source)).toBeUndefined()
})
