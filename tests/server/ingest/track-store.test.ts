import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Tracks } from '../../../server/media/encoding.ts'
import { createBackgroundWrites } from '../../../server/store/background-writes.ts'
import { createTrackStore } from '../../../server/streams/track-store.ts'
import { startServer } from '../fixtures/harness.ts'

const found: Tracks = { format: 'rtsp', tracks: [{ type: 'video', codec: 'h264' }], hasFarKeyframes: false }

test('the tracks of a source are kept, for a source that says what it offers or was recorded just now', async () => {
  const { context, addStream } = await startServer()
  const { store, now } = context
  const writes = createBackgroundWrites(store)
  const tracks = createTrackStore(store, writes, now)
  await addStream('gate')
  const [source, long] = ['rtsp://a:b@camera.example/live', now() - 121_000]
  expect(await tracks.read('gate', source, now())).toBeUndefined()
  tracks.write('gate', source, found)
  tracks.write('gate.sub', source, { ...found, offer: 'm=video' })
  tracks.write('gone', source, found)
  tracks.write('gate', source, { ...found, sound: 'unusable' })
  await writes.written()
  expect(await tracks.read('gate', source, now() - 119_000)).toEqual(found)
  expect(await tracks.read('gate', source, long)).toBeUndefined()
  expect(await tracks.read('gate', `${source}2`, now())).toBeUndefined()
  expect(await tracks.read('gate.sub', source, long)).toEqual({ ...found, offer: 'm=video' })
  tracks.write('gate', `${source}2`, { ...found, format: 'hls' })
  await writes.written()
  expect(await tracks.read('gate', source, now())).toBeUndefined()
  expect(await tracks.read('gate', `${source}2`, now())).toEqual({ ...found, format: 'hls' })
  const Kept = z.object({ recording: z.string() })
  const kept = () => store.all(Kept, 'SELECT recording FROM stream_tracks ORDER BY recording')
  expect(await kept()).toEqual([{ recording: 'gate' }, { recording: 'gate.sub' }])
  await store.run('DELETE FROM streams')
  expect(await kept()).toEqual([])
})
