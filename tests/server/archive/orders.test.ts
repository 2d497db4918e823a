import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { livePlaylist } from '../../../server/archive/playback/playlist.ts'
import { createStreamOrder, lastRank, type Sortable } from '../../../server/streams/stream-order.ts'

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const name = fc.constantFrom('Camera 2', 'camera 10', 'CAMERA 2', 'Въезд', 'въезд 3', 'a', 'B', 'é', 'e', '')
const tag = fc.constantFrom(null, 'Floor 2', 'floor 10', 'Этаж', 'FLOOR 2')
const step = fc.record({
  uid: fc.constantFrom('1', '2', '3', '4', '5', '6'),
  name,
  firstTag: tag,
  isRemoved: fc.boolean(),
})

const sign = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)
const tagSign = (a: string | null, b: string | null): number =>
  a === null || b === null ? Number(a === null) - Number(b === null) : Math.sign(collator.compare(a, b))

test('streams are in the order of collating all of them, after any changes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const order = createStreamOrder([])
      const model = new Map<string, Sortable>()
      for (const { isRemoved, ...stream } of steps) {
        if (isRemoved) {
          order.remove(stream.uid)
          model.delete(stream.uid)
        } else {
          order.put(stream)
          model.set(stream.uid, stream)
        }
        const all = [...model.values()]
        for (const a of all) {
          for (const b of all) {
            const [left, right] = [order.ranksOf(a.uid), order.ranksOf(b.uid)]
            expect([sign(left.byName, right.byName), sign(left.byTag, right.byTag)]).toEqual([
              Math.sign(collator.compare(a.name, b.name)),
              tagSign(a.firstTag, b.firstTag),
            ])
          }
        }
      }
      expect(order.ranksOf('unknown')).toEqual({ byName: lastRank, byTag: lastRank })
    }),
    { numRuns: 200 },
  )
})

test('an empty live playlist begins with number 0', () => {
  expect(livePlaylist([], 2, { segment: () => '', init: () => '' })).toContain('#EXT-X-MEDIA-SEQUENCE:0')
})
