import * as HLS from 'hls-parser'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { streamFolder } from '../../../server/storage/folders.ts'
import { livePlaylist } from '../../../server/archive/playback/playlist.ts'
import type { SessionOptions } from '../../../server/archive/recorder/ingest-session.ts'
import { drawnInit, fragmentAt, openRecorder, t0 } from '../fixtures/engine.ts'
import { create } from '../fixtures/recordings.ts'
import { logged, segments, startVideo, serve, tsCamera } from '../fixtures/video.ts'
import { patience } from '../../fixtures/patience.ts'

const hourMs = 3_600_000
const init = drawnInit()
const fail = (error: unknown) => {
  throw error
}

type Opened = Awaited<ReturnType<typeof openRecorder>>

/**
 * Seconds of one connection, whose keyframes are a second apart: each its media time, and the clock's time when it
 * has come.
 */
const record = async (
  { recorder, rows }: Opened,
  seconds: Iterable<readonly [media: number, clock: number]>,
  options: Partial<SessionOptions> = {},
): Promise<void> => {
  const taking = recorder.begin({ init, fail, ...options })
  for (const [media, clock] of seconds) {
    taking.take(fragmentAt(media, true), clock - 500)
    taking.take(fragmentAt(media + 0.5, false), clock)
  }
  await taking.finish()
  await rows.settled()
}

const seconds = (count: number, media: number, clock: number) =>
  Array.from({ length: count }, (_, position) => [media + position, clock + (position + 1) * 1000] as const)
const startsOf = async ({ index }: Opened) =>
  (await index.within('door', 0, t0 + 100 * hourMs, 1000)).map(({ start }) => (start - t0) / 1000)

test('a clock that is set back by three hours begins a run at the true time, and is reported once', async () => {
  const reported: [number, number][] = []
  const opened = await openRecorder(undefined, { onClockSetBack: (byMs, until) => reported.push([byMs, until]) })
  await record(opened, [...seconds(5, 0, t0), ...seconds(5, 5, t0 - 3 * hourMs)])
  expect(await startsOf(opened)).toEqual([-10_800, -10_799, -10_798, -10_797, -10_796, 0, 1, 2, 3, 4])
  const [back] = await opened.index.within('door', 0, t0, 1)
  expect(back?.run).not.toBe((await opened.index.within('door', t0, t0 + 1, 1))[0]?.run)
  expect(reported).toEqual([[3 * hourMs + 4500, t0 + 5000]])
})

test('segments of a time that is recorded already are live only, and the first recording stays, file and row', async () => {
  const opened = await openRecorder()
  await record(opened, seconds(10, 0, t0))
  const before = await opened.index.within('door', 0, t0 + hourMs, 100)
  await record(opened, seconds(15, 0, t0 + 4000))
  expect(await opened.index.within('door', 0, t0 + 9500, 100)).toEqual(before)
  expect(await startsOf(opened)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18])
  for (const { file } of before) expect(existsSync(join(streamFolder(opened.dataDir, 'door'), file))).toBe(true)
  expect(opened.failures).toEqual([])
})

test.each([
  ['set back by 10 s and corrected 3 s later loses nothing more', 5, 3, [-5, -4, -3, 0, 1, 2, 3, 4, 8, 9, 10, 11]],
  ['10 s behind and corrected while the first fragments wait dates all of them rightly', 0, 1, [0, 1, 2, 3, 4]],
])('a clock that is %s', async (_name, right, wrong, expected) => {
  const opened = await openRecorder()
  let aheadMs = 0
  const corrected = function* () {
    yield* seconds(right, 0, t0)
    yield* seconds(wrong, right, t0 + right * 1000 - 10_000)
    aheadMs = -10_000
    yield* seconds(4, right + wrong, t0 + (right + wrong) * 1000)
  }
  await record(opened, corrected(), { clockAheadMs: () => aheadMs })
  expect(await startsOf(opened)).toEqual(expected)
  expect(opened.failures).toEqual([])
})

test('after a restart, too, what is recorded ahead of the clock stays, and the rest is recorded at its time', async () => {
  const opened = await openRecorder()
  await record(opened, seconds(5, 0, t0 + 3 * hourMs))
  const numbers = await opened.index.recording('door')
  const reported: number[] = []
  const again = await openRecorder(undefined, { onClockSetBack: (byMs) => reported.push(byMs) }, opened)
  await record(again, seconds(3, 0, t0))
  expect(await startsOf(opened)).toEqual([0, 1, 2, 10_800, 10_801, 10_802, 10_803, 10_804])
  expect(reported).toHaveLength(1)
  expect((await opened.index.recording('door'))?.nextSequence).toBe((numbers?.nextSequence ?? 0) + 3)
})

test('the live playlist continues: numbers never decrease, no dates overlap, no name is used twice', async () => {
  const opened = await openRecorder()
  await record(opened, [...seconds(8, 0, t0), ...seconds(6, 8, t0 + 3000)])
  const { live } = opened
  const listed = live.listed().segments
  const addresses = {
    segment: ({ start }: { start: number }) => `live/${start}.m4s`,
    init: (run: number) => `init/${run}.mp4`,
  }
  const media = HLS.parse(livePlaylist(listed, 2, addresses))
  if (media.isMasterPlaylist) throw new Error('not a media playlist')
  expect(media.mediaSequenceBase).toBe(8)
  expect(listed.map(({ sequence }) => sequence)).toEqual([8, 9, 10, 11, 12, 13])
  const dates = media.segments.map(({ programDateTime }) => (programDateTime?.getTime() ?? 0) - t0)
  // A millisecond later than another of the window, so that both have an address.
  expect(dates.map((date) => Math.round(date / 100) / 10)).toEqual([3, 4, 5, 6, 7, 8])
  const kept = (await opened.index.within('door', 0, t0 + hourMs, 100)).slice(0, 8)
  expect(
    kept.filter(({ start }) => live.kept().find((each) => each.start === start)?.sequence !== (start - t0) / 1000),
  ).toEqual([])
  // Of the covered ones the numbers are kept as well: they don't go back after a restart.
  expect(await opened.index.recording('door')).toMatchObject({ nextSequence: 14, nextDiscontinuity: 2 })
})

test('a jitter of less than two seconds moves to the end of the last segment, in the same run', async () => {
  const opened = await openRecorder()
  await record(opened, [...seconds(5, 0, t0), ...seconds(5, 5, t0 + 3500)])
  expect(await startsOf(opened)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(new Set((await opened.index.within('door', 0, t0 + hourMs, 100)).map(({ run }) => run)).size).toBe(1)
})

test('a server whose clock is set back goes on live, warns in health and in the stream’s log, and records at the true time', async () => {
  const clock = { by: 0 }
  const video = await startVideo({ now: () => Date.now() + clock.by })
  const uid = await create(video, `${await serve(tsCamera())}/camera.ts`)
  await segments(video.site, uid, 3)
  const health = async () => JSON.stringify((await video.ask('GET', '/v1/system/health', {})).body)
  expect(await health()).not.toContain('CLOCK_STEPPED_BACK')
  const newest = await video.site.index.newest(uid)
  const line = logged(video.site, uid, /clock was set back/)
  clock.by = -3 * hourMs
  expect(await line).toMatch(/by 10(?:799|800|801) s/)
  await segments(video.site, uid, 2)
  expect(await health()).toContain('CLOCK_STEPPED_BACK')
  // A second that was cut before may be the first that is written.
  const endTime = await vi.waitFor(async () => {
    const period = await video.site.index.period(uid)
    expect(Math.abs((period?.startTime ?? 0) + 3 * hourMs - Date.now())).toBeLessThan(60_000)
    return period?.endTime
  }, patience)
  expect(endTime).toBeGreaterThanOrEqual(newest?.finish ?? Infinity)
  await vi.waitFor(async () => {
    expect((await video.ask('GET', `/v1/stream/${uid}/archive/live.m3u8`, { cookie: video.admin })).status).toBe(200)
  }, patience)
})
