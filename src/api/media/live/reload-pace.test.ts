import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readPlaylist } from '../playlist/playlist.ts'
import { changeSeconds, createReloadPace } from './reload-pace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const url = 'live.m3u8'
const [interval, roundTrip] = [1000, 40]
/** The first segment of all is published then. */
const firstPublished = 380

/**
 * Reloads as shaka does, one after the other, from a server that publishes a segment each `every` milliseconds; returns
 * how late after its publication each segment was requested, and the number of requests.
 */
async function follow(reloads: number, { every = interval, stopsAt = Infinity } = {}) {
  const pace = createReloadPace()
  const late: number[] = []
  const requested: number[] = []
  let last = -1
  const begun = performance.now()
  for (let reload = 0; reload < reloads; reload += 1) {
    const turn = pace.turn(url)
    await vi.advanceTimersToNextTimerAsync()
    await turn
    const now = performance.now() - begun
    requested.push(now)
    const newest = Math.floor((Math.min(now, stopsAt) - firstPublished) / every)
    await vi.advanceTimersByTimeAsync(roundTrip)
    pace.answered(url, String(newest), interval)
    if (newest > last && last >= 0) late.push(now - firstPublished - newest * every)
    if (last >= 0 && newest - last > 1) throw new Error(`segment ${last + 1} came together with the next one`)
    last = newest
  }
  return { late, requested }
}

test('each segment is requested within a fifth of a segment of its publication, at little more than a request each', async () => {
  const { late, requested } = await follow(600)
  const settled = late.slice(5)
  expect(settled.length).toBeGreaterThan(450)
  expect(Math.max(...settled)).toBeLessThan(0.2 * interval)
  expect(requested.length / late.length).toBeLessThan(1.3)
})

test.each([980, 1050])('a camera of %s ms a segment is followed, too', async (every) => {
  const { late } = await follow(600, { every })
  expect(Math.max(...late.slice(5))).toBeLessThan(0.25 * interval)
})

test('a playlist that has stopped growing is requested once a segment', async () => {
  const { requested } = await follow(60, { stopsAt: 10_000 })
  const stopped = requested.filter((time) => time > 15_000)
  expect(stopped.length).toBeGreaterThan(20)
  const pauses = stopped.slice(1).map((time, index) => Math.round(time - (stopped[index] ?? 0)))
  expect(new Set(pauses)).toEqual(new Set([interval]))
})

test('a request that gets no answer is repeated after half a segment', async () => {
  const pace = createReloadPace()
  await pace.turn(url)
  pace.answered(url, 'first', interval)
  const second = pace.turn(url)
  await vi.advanceTimersToNextTimerAsync()
  await second
  const sentAt = performance.now()
  const third = pace.turn(url)
  await vi.advanceTimersToNextTimerAsync()
  await third
  expect(performance.now() - sentAt).toBeCloseTo(interval / 2)
  expect(pace.elapsed(url)).toBe(0)
  expect(pace.elapsed('another.m3u8')).toBe(0)
})

test('nothing waits after a restart, nor the first request for another playlist', async () => {
  const pace = createReloadPace()
  await pace.turn(url)
  pace.answered(url, 'first', interval)
  const waiting = pace.turn(url)
  await pace.turn('another.m3u8')
  pace.restart()
  await waiting
  await pace.turn(url)
  expect(vi.getTimerCount()).toBe(0)
})

test('a playlist grows by parts, by a segment no longer than the last three, or by several at once', () => {
  const secondsOf = (text: string) => {
    const playlist = readPlaylist(`#EXTM3U\n${text}`)
    return playlist === null ? null : changeSeconds(playlist)
  }
  const segments = [1, 4, 2, 4].map((seconds) => `#EXTINF:${seconds},\n${seconds}.m4s\n`).join('')
  expect(secondsOf(segments)).toBe(2)
  expect(secondsOf('#EXTINF:0.1,\na.m4s\n')).toBe(0.5)
  // A URL that is still missing.
  expect(secondsOf('#EXTINF:2,\n')).toBe(Infinity)
  expect(secondsOf(`#EXT-X-SERVER-CONTROL:HOLD-BACK=12\n${segments}`)).toBe(2)
  expect(secondsOf('#EXT-X-SERVER-CONTROL:HOLD-BACK=6\n#EXTINF:0.5,\na.m4s\n')).toBe(2)
  expect(secondsOf(`#EXT-X-PART-INF:PART-TARGET=0.36\n${segments}#EXT-X-PART:DURATION=0.36,URI="a"\n`)).toBe(0.36)
  expect(secondsOf(`#EXT-X-PART-INF:PART-TARGET=0.36\n${segments}`)).toBe(2)
})
