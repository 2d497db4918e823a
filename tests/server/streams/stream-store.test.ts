import { expect, test } from 'vitest'
import { schema } from '../../../server/schema.ts'
import { withChanges } from '../../../server/streams/stream-body.ts'
import { createStreamStore, type StreamRow } from '../../../server/streams/stream-store.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { row } from '../fixtures/paused-stream.ts'

const door: StreamRow = { ...row, uid: 'door', name: 'Door', source: 'rtsp://192.0.2.1/x' }

test('two nodes that change different fields of a stream keep both changes', async () => {
  const database = await memoryStore(schema)
  const here = await createStreamStore(database)
  await here.create(door)
  const there = await createStreamStore(database)
  await Promise.all([
    here.change('door', (before) => ({ ...before, isPaused: false })),
    there.change('door', (before) => ({ ...before, tags: ['yard'] })),
  ])
  await here.load()
  expect(here.find('door')).toMatchObject({ name: 'Door', isPaused: false, tags: ['yard'] })
})

test('a stream that another node has removed is not changed', async () => {
  const database = await memoryStore(schema)
  const here = await createStreamStore(database)
  await here.create(door)
  const there = await createStreamStore(database)
  await there.remove('door', async () => undefined)
  expect(await here.change('door', (before) => ({ ...before, name: 'Gate' }))).toBeUndefined()
})

test('a form that was read before another change brings only what it changes itself', () => {
  const form = { ...door, name: 'Gate', tags: ['yard'], onvif: null }
  const stored = { ...door, location: 'North', tags: ['shop'] }
  expect(withChanges(stored, { ...door, onvif: null }, form)).toEqual({
    ...door,
    name: 'Gate',
    location: 'North',
    tags: ['yard'],
  })
})
