import { expect, test } from 'vitest'
import { createPlanner } from '../../../server/cluster/planning.ts'

const nodes = ['a', 'b', 'c'].map((id) => ({ id, isAvailable: true, isDrained: false }))
const situation = { nodes, isKnown: () => true, isLive: () => true, canFailOver: true, joinedAt: 0 }

test('a hand-over that takes too long is cancelled; one to another node has as much time as the first', () => {
  const plan = createPlanner('a')
  const cancelledAt = (now: number, node: string) => {
    const lease = {
      node: 'a',
      epoch: 1,
      since: 0,
      reason: 'placed',
      next: { node, reason: 'moved' },
    } as const
    return plan({ ...situation, streams: [{ uid: 'gate', pinnedTo: undefined, lease, leftMs: 30_000 }], now }).cancel
  }
  expect(cancelledAt(0, 'b')).toEqual([])
  expect(cancelledAt(18_000, 'b')).toEqual([])
  expect(cancelledAt(21_000, 'c')).toEqual([])
  expect(cancelledAt(40_000, 'c')).toEqual([])
  expect(cancelledAt(42_000, 'c')).toEqual([{ uid: 'gate', epoch: 1, next: { node: 'c', reason: 'moved' } }])
})
