import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openArchives } from '../fixtures/nodes-archives.ts'

const grid = 2
const tenures = fc.array(
  // How long a node has the stream, and how long it records on when it has lost it; seconds.
  fc.record({ seconds: fc.integer({ min: 3, max: 15 }), longer: fc.integer({ min: 0, max: 12 }) }),
  { minLength: 2, maxLength: 5 },
)

test('whenever nodes add what they have recorded, each moment is in the archive once', async () => {
  await fc.assert(
    fc.asyncProperty(tenures, fc.infiniteStream(fc.integer({ min: 0, max: 9 })), async (leases, order) => {
      const { open, lease, site, chunks } = await openArchives()
      const nodes = [await open('a'), await open('b')]
      const recorded = new Set<number>()
      let since = 0
      /** A node that gets the stream back while it still records it goes on after what it has. */
      const ends = [0, 0]
      let waiting: (() => Promise<void>)[] = []
      for (const [position, { seconds, longer }] of leases.entries()) {
        const node = nodes[position % 2]
        const epoch = position + 1
        await lease(position % 2 === 0 ? 'a' : 'b', epoch, since)
        const begin = Math.ceil(since / grid) * grid
        const from = Math.max(begin, ends[position % 2] ?? 0)
        const to = Math.max(from + grid, begin + Math.ceil((seconds + longer) / grid) * grid)
        ends[position % 2] = to
        for (let second = from; second < to; second += grid) recorded.add(second)
        const sealed = await node?.seal(from, to)
        waiting.push(async () => sealed && node?.add(sealed, epoch))
        since += seconds
        const now = waiting.filter(() => (order.next().value ?? 0) > 4)
        waiting = waiting.filter((each) => !now.includes(each))
        for (const add of now) await add()
      }
      for (const add of waiting.toReversed()) await add()
      site.time += 180_000
      for (const { late } of nodes) await late.retry()
      const found = (await chunks()).flatMap((each) => {
        const [from = 0, to = 0] = each.split(' ')[0]?.split('–').map(Number) ?? []
        return Array.from({ length: (to - from) / grid }, (_, index) => from + index * grid)
      })
      expect(found).toEqual([...recorded].toSorted((one, other) => one - other))
    }),
    { numRuns: 20 },
  )
})
