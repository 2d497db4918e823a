import { expect, test } from 'vitest'
import { createLostTimes } from '../../../server/streams/lost-time.ts'
import { add, newFolder, open as openVideo, record, t0, uid } from '../fixtures/tape.ts'
import { segments } from '../fixtures/video.ts'

const stream = { uid: 'door', createdAt: 0, recordedUntil: 0 }

const open = (lastUpAt?: number) => {
  const clock = { now: 0 }
  const lost = createLostTimes(() => clock.now, lastUpAt)
  return { clock, lost, tracker: lost.track(stream) }
}

test('the time between two segments is lost, and the time before the first one', () => {
  const { clock, lost, tracker } = open()
  clock.now = 1000
  tracker.begin()
  tracker.begin()
  tracker.recorded({ start: 3000, finish: 5000 })
  tracker.recorded({ start: 5000, finish: 7000 })
  expect(lost.totalMs()).toBe(2000)
  tracker.recorded({ start: 17_000, finish: 18_000 })
  expect(lost.totalMs()).toBe(12_000)
})

test('no time is lost during a pause, nor by a segment of a time that is already recorded', () => {
  const { clock, lost, tracker } = open()
  tracker.begin()
  tracker.recorded({ start: 0, finish: 5000 })
  tracker.pause()
  tracker.recorded({ start: 9000, finish: 10_000 })
  clock.now = 3_600_000
  expect(lost.totalMs()).toBe(0)
  tracker.begin()
  tracker.recorded({ start: 3_590_000, finish: 3_601_000 })
  tracker.recorded({ start: 3_590_000, finish: 3_592_000 })
  tracker.recorded({ start: 3_601_000, finish: 3_602_000 })
  expect(lost.totalMs()).toBe(0)
})

test('lost time grows while a camera is away, and never shrinks', () => {
  const { clock, lost, tracker } = open()
  const other = lost.track({ ...stream, uid: 'gate' })
  tracker.begin()
  other.begin()
  clock.now = 100_000
  other.recorded({ start: 0, finish: 100_000 })
  expect(lost.totalMs()).toBe(30_000)
  tracker.pause()
  expect(lost.totalMs()).toBe(30_000)
  tracker.begin()
  tracker.recorded({ start: 140_000, finish: 150_000 })
  expect(lost.totalMs()).toBe(40_000)
})

test('the time in which the server was down is lost, of streams that should be recorded at its start', () => {
  const lastUpAt = 1_000_000
  const { clock, lost } = open(lastUpAt)
  clock.now = lastUpAt + 30_000
  const record = (uid: string, change: Partial<typeof stream>): number => {
    const before = lost.totalMs()
    const tracker = lost.track({ ...stream, uid, ...change })
    tracker.begin()
    tracker.recorded({ start: clock.now, finish: clock.now })
    tracker.pause()
    return lost.totalMs() - before
  }
  expect(record('recorded to the end', { recordedUntil: lastUpAt + 5000 })).toBe(25_000)
  expect(record('with far keyframes', { recordedUntil: lastUpAt - 40_000 })).toBe(70_000)
  // The last process has counted what was lost until then.
  expect(record('away for days', { recordedUntil: 1000 })).toBe(100_000)
  expect(record('added after the start', { createdAt: clock.now })).toBe(0)
  expect(record('recorded to the end', { recordedUntil: lastUpAt })).toBe(0)

  const resumed = lost.track({ ...stream, uid: 'paused at the start' })
  resumed.pause()
  resumed.begin()
  expect(lost.totalMs()).toBe(195_000)
})

test('a clock that was ahead before the start hides no lost time after it', () => {
  const { clock, lost } = open(1_000_000)
  clock.now = 500_000
  const tracker = lost.track({ ...stream, recordedUntil: 900_000 })
  tracker.begin()
  clock.now += 200_000
  expect(lost.totalMs()).toBe(130_000)
})

test('metrics have what the camera of a server lacks that was down', async () => {
  const dataDir = newFolder()
  const before = await openVideo(dataDir)
  await add(before)
  await record(before, 0, 12)
  await before.context.store.run('DELETE FROM samples')
  await before.context.store.run("INSERT INTO samples (node, time) VALUES ('', ?)", t0 + 10_000)
  await before.context.store.run("UPDATE streams SET source = 'demo:gate', is_paused = 0")
  await before.app.close()

  const { site, ask, admin } = await openVideo(dataDir, false)
  await segments(site, uid, 1)
  const { body } = await ask('GET', '/v1/system/metrics', { cookie: admin })
  const [, lost] = /^sightline_lost_seconds\S* (\S+)$/m.exec(String(body)) ?? []
  const [first] = await site.index.within(uid, t0 + 12_000, Date.now(), 1)
  expect(Number(lost)).toBeCloseTo(((first?.start ?? 0) - t0) / 1000 - 12, 0)
})
