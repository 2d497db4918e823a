import { expect, test } from 'vitest'
import { createReturnedVolumes } from '../../../server/archive/repair/returned-volumes.ts'

test('a disk that comes back many times during a repair has one more repair', async () => {
  const { promise: running, resolve: end } = Promise.withResolvers<void>()
  const repairs: string[] = []
  const { signal } = new AbortController()
  const returned = createReturnedVolumes({
    index: { uids: async () => ['door'] },
    untilRepaired: async () => signal,
    recover: async (uid) => void repairs.push(`spools of ${uid}`),
    repair: async () => {
      repairs.push('all')
      await running
    },
    onFailure: (error) => repairs.push(String(error)),
  })
  const once = ['spools of door', 'all']
  returned.look()
  await expect.poll(() => repairs).toEqual(once)
  for (let count = 0; count < 20; count += 1) returned.look()
  end()
  await returned.settled()
  expect(repairs).toEqual([...once, ...once])
})

test('a volume that comes back before the start has ended is repaired after it, and none after the stop', async () => {
  const { promise: started, resolve: end } = Promise.withResolvers<AbortSignal>()
  const stopping = new AbortController()
  const repairs: string[] = []
  const returned = createReturnedVolumes({
    index: { uids: async () => ['door'] },
    untilRepaired: () => started,
    recover: async (uid) => void repairs.push(uid),
    repair: async ({ aborted }) => void repairs.push(aborted ? 'stopped' : 'all'),
    onFailure: (error) => repairs.push(String(error)),
  })
  returned.look()
  const settled = returned.settled()
  expect(repairs).toEqual([])
  end(stopping.signal)
  await settled
  stopping.abort()
  returned.look()
  await returned.settled()
  expect(repairs).toEqual(['door', 'all'])
})
