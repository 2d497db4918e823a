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

test.each(['count', 'countOwned'] as const)('two nodes add no more streams at once than %s allows', async (limited) => {
  const database = await memoryStore(schema)
  await database.run(
    `INSERT INTO users (id, login, email, full_name, language, is_admin, max_stream_creation, is_managed, is_blocked,
       password_hash, must_change_password, created_at) VALUES ('1', 'ann', '', '', '', 0, 1, 0, 0, '', 0, 0)`,
  )
  const here = await createStreamStore(database)
  const there = await createStreamStore(database)
  const add = (node: typeof here, uid: string) =>
    node.create({ ...door, uid, owner: 'ann' }, async () => {
      if ((await node[limited]('ann')) >= 1) throw new Error('enough')
    })
  const outcomes = await Promise.allSettled([add(here, 'door'), add(there, 'gate')])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect([here.find('door')?.uid, there.find('gate'), await there.count()]).toEqual(['door', undefined, 1])
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
