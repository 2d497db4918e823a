import { expect, test } from 'vitest'
import { createLeaseRows } from '../../../server/cluster/lease-rows.ts'
import { createNodeRows } from '../../../server/cluster/node-rows.ts'
import type { Store } from '../../../server/store/store.ts'
import { openMembers, testClock } from '../fixtures/cluster-members.ts'

test('an instance whose node another instance has joined takes no stream and does not lead', async () => {
  const { store, addStreams, wait } = await openMembers()
  await addStreams('door', 'gate')
  const join = async (id: string, instance: string) => {
    const database = { store, clock: testClock }
    const identity = { id, name: id, url: `http://${id}.example`, version: '1', instance }
    expect(await createNodeRows(database, identity).join()).toBe(true)
    return createLeaseRows(database, identity)
  }
  const earlier = await join('a', 'earlier')
  await wait(13_000)
  const successor = await join('a', 'successor')
  const other = await join('b', 'other')
  await successor.take(['door'], 'placed')
  await other.take(['gate'], 'placed')
  await other.ask({ uid: 'gate', epoch: 1, next: { node: 'a', reason: 'moved' } })

  expect(await earlier.take(['door'], 'restarted')).toEqual([])
  expect(await earlier.takeOver('gate', 1)).toBeUndefined()
  expect(await earlier.lead()).toBe(false)

  expect(await successor.takeOver('gate', 1)).toMatchObject({ uid: 'gate', epoch: 2, reason: 'moved' })
  expect(await successor.lead()).toBe(true)
  expect((await successor.renew()).toSorted((a, b) => a.uid.localeCompare(b.uid))).toEqual([
    { uid: 'door', epoch: 1 },
    { uid: 'gate', epoch: 2 },
  ])
})

test('an instance that is stopped within a beat does not rely on the leases of its successor', async () => {
  const { store, addStreams, join, wait } = await openMembers()
  await addStreams('door')
  let stop = async (): Promise<void> => undefined
  const all: Store['all'] = async (schema, sql, ...values) => {
    const rows = await store.all(schema, sql, ...values)
    if (sql.startsWith('UPDATE nodes')) await stop()
    return rows
  }
  const earlier = await join('a', { store: { ...store, all } })
  await earlier.start()
  expect(earlier.tenureOf('door')?.isValid()).toBe(true)

  stop = async () => {
    await wait(13_000)
    const successor = await join('a')
    await successor.start()
    expect(successor.tenureOf('door')?.isValid()).toBe(true)
  }
  await earlier.refresh()
  expect(earlier.tenureOf('door')?.isValid() ?? false).toBe(false)
})
