import * as HLS from 'hls-parser'
import { expect, test } from 'vitest'
import { livePlaylist, liveUrls } from '../../../server/archive/playback/playlist.ts'
import type { IngestSession } from '../../../server/archive/recorder/ingest-session.ts'
import type { LiveWindow } from '../../../server/archive/recorder/live-window.ts'
import { patience } from '../../fixtures/patience.ts'
import { drawnInit, fragmentAt, openRecorder, t0 } from '../fixtures/engine.ts'

const init = drawnInit()
const options = {
  init,
  mediaZeroAt: t0,
  fail: (error: unknown) => {
    throw error
  },
}

const mebibyte = 1024 * 1024

/** Sends segments of a second, with so many bytes each in two fragments. */
const send = (session: IngestSession, from: number, to: number, bytes = 200): void => {
  for (let half = 2 * from; half < 2 * to; half += 1)
    session.take(fragmentAt(half / 2, half % 2 === 0, bytes / 2), t0 + (half + 1) * 500)
}

/** Sequence and discontinuity number of each second in the live playlist. */
const numbersIn = (live: LiveWindow): Map<number, [sequence: number, discontinuity: number]> => {
  const media = HLS.parse(livePlaylist(live.listed().segments, 2, liveUrls))
  if (media.isMasterPlaylist) throw new Error('not a media playlist')
  let discontinuity = media.discontinuitySequenceBase ?? 0
  return new Map(
    media.segments.map(({ programDateTime, discontinuity: isTagged }, index) => {
      if (isTagged === true) discontinuity += 1
      const second = Math.floor(((programDateTime?.getTime() ?? 0) - t0) / 1000)
      return [second, [(media.mediaSequenceBase ?? 0) + index, discontinuity]]
    }),
  )
}

/** Both numbers of the seconds `from` to `to`, of which the first has these. */
const counted = (from: number, to: number, [sequence, discontinuity]: readonly [number, number]) =>
  Array.from({ length: to - from }, (_, index) => [from + index, [sequence + index, discontinuity]])

test.each([1, 3])(
  '%i segments that a slow disk loses are one discontinuity, also once its tag has left',
  async (lost) => {
    const { recorder, live, index, rows, failures, dataDir } = await openRecorder()
    const session = recorder.begin(options)
    const next = 8 + lost
    // Eight segments may wait for the disk. The next keyframe ends the last one.
    send(session, 0, next, 8 * mebibyte)
    send(session, next, next + 0.5)
    expect(failures).toEqual(Array.from({ length: lost }, () => 'slow'))
    await expect.poll(() => live.kept().length, patience).toBe(8)
    send(session, next + 0.5, next + 2.5)
    await expect.poll(() => live.kept().length, patience).toBe(10)
    expect([...numbersIn(live)]).toEqual([...counted(0, 8, [0, 1]), ...counted(next, next + 2, [8, 2])])
    send(session, next + 2.5, next + 20)
    await session.finish()
    expect([...numbersIn(live)]).toEqual(counted(next + 4, next + 20, [12, 2]))

    // After a restart the numbers are those in the chunk that follows the loss.
    await rows.settled()
    const restarted = await openRecorder(undefined, {}, { index, dataDir })
    const again = restarted.recorder.begin({ ...options, mediaZeroAt: t0 + 100_000 })
    again.take(fragmentAt(0, true), t0 + 100_500)
    await again.finish()
    expect([...numbersIn(restarted.live)]).toEqual([[100, [28, 3]]])
  },
)

test('a run that begins after a loss is one discontinuity with it', async () => {
  const { recorder, live, failures } = await openRecorder()
  const session = recorder.begin(options)
  send(session, 0, 9, 8 * mebibyte)
  await session.finish()
  expect(failures).toEqual(['slow'])
  const again = recorder.begin({ ...options, mediaZeroAt: t0 + 9000 })
  for (const half of [0, 1]) again.take(fragmentAt(half / 2, half === 0), t0 + 9000 + (half + 1) * 500)
  await again.finish()
  expect([...numbersIn(live)]).toEqual([...counted(0, 8, [0, 1]), [9, [8, 2]]])
})
