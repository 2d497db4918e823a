import { expect, test } from 'vitest'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { createLiveFeed } from '../../../server/archive/recorder/live-feed.ts'
import { createLiveWindow, type OpenSegment } from '../../../server/archive/recorder/live-window.ts'
import { init } from '../fixtures/paused-stream.ts'

test('readers of a part share one read, and one that brought nothing is tried again', async () => {
  const answers = [undefined, Buffer.from('part')]
  const reads: (number | undefined)[] = []
  const begun: OpenSegment[] = []
  const live = Object.assign(createLiveWindow(), { begin: (segment: OpenSegment) => begun.push(segment) })
  const feed = createLiveFeed({
    live,
    read: async (_start, part) => {
      reads.push(part)
      return answers.shift()
    },
  })
  feed({ kind: 'run', run: runOf(1, newRunKey(), init) })
  feed({ kind: 'begun', start: 1000, run: 1 })
  const read = () => begun[0]?.read(0)
  expect(await Promise.all([read(), read()])).toEqual([undefined, undefined])
  expect([await read(), await read()]).toEqual([Buffer.from('part'), Buffer.from('part')])
  expect(reads).toEqual([0, 0])
})
