// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'
import type { Engine, StartAt } from '../engine/engine.ts'
import type { FrameTable } from '../frames/frame-table.ts'
import { leadingGapSeconds } from '../playlist/leading-gap.ts'
import type { TimelineSegment } from '../playlist/timeline-segments.ts'
import { createMediaController } from './create-media-controller.ts'
import type { ControllerReport } from './media-controller.ts'
import { patience } from '../../../../tests/fixtures/patience.ts'

const middle = Date.parse('2026-11-21T08:00:00Z')
const [segmentMs, frameMs] = [2000, 40]

/** Seconds from the start of a segment to its first frame. */
type LeadOf = (utc: number) => number
/** The starts of the recorded segments, their leads, and the starts of the loads. */
const archive = { starts: [] as readonly number[], leadOf: (() => 0) as LeadOf, loads: [] as number[] }

/** An engine that has every frame of the range at once, and shows the one at which it starts. */
function openFake(video: HTMLVideoElement, table: FrameTable): Partial<Engine> {
  let segments: readonly TimelineSegment[] = []
  return {
    async load(url: string, { startAt }: { startAt: StartAt | null }) {
      const [from = 0, to = 0] = ['start_time', 'end_time'].map((key) =>
        Date.parse(new URL(url).searchParams.get(key) ?? ''),
      )
      archive.loads.push(from)
      const duration = segmentMs / 1000
      const listed = archive.starts.filter((utc) => utc + segmentMs > from && utc < to)
      segments = listed.map((utc, index) => ({ utc, duration, media: leadingGapSeconds + index * duration }))
      const frames = Array.from({ length: segmentMs / frameMs }, (_, index) => (index * frameMs) / 1000)
      table.clear()
      for (const [index, { media }] of segments.entries()) {
        const lead = archive.leadOf(listed[index] ?? 0)
        table.put({ start: media, duration, offsets: frames.map((frame) => lead + frame) })
      }
      const start = startAt?.(listed.map((utc) => ({ utc, durationSeconds: duration }))) ?? 0
      video.currentTime = leadingGapSeconds + start
    },
    segments: () => segments,
    setRate: () => undefined,
    hasSound: () => false,
    segmentsReceived: () => 0,
    destroy: async () => undefined,
  }
}

vi.mock('../engine/shaka-engine.ts', () => ({
  openEngine: async (video: HTMLVideoElement, table: FrameTable) => openFake(video, table),
}))

beforeEach(() => {
  archive.loads.length = 0
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
})

/** A paused picture of the four seconds from `middle` on, at their first frame; `before`: of the recording before. */
async function paused(leadOf: LeadOf, before: readonly number[] = []) {
  Object.assign(archive, { leadOf, starts: [...before, middle, middle + segmentMs] })
  const calls = { play: async () => undefined, pause: () => undefined, load: () => undefined }
  const video = Object.assign(document.createElement('video'), calls)
  vi.spyOn(video, 'readyState', 'get').mockReturnValue(HTMLMediaElement.HAVE_ENOUGH_DATA)
  const controller = createMediaController()
  const reports: ControllerReport[] = []
  controller.listen((report) => void reports.push(report))
  const detach = controller.attach(video, document.createElement('canvas'))
  const source = { kind: 'archive', uid: 'gate', from: middle, to: middle + 2 * segmentMs } as const
  controller.load(source, { isPlaying: false, rate: 1 })
  await vi.waitUntil(() => reports.some(({ type }) => type === 'engine.loaded'), patience)
  const hasEnded = () => reports.some(({ type }) => type === 'engine.ended')
  return { controller, reports, hasEnded, detach }
}

/** Two segments of which the last one ends at `to`. */
const endingAt = (to: number) => [to - 2 * segmentMs, to - segmentMs]

test.each([
  { lead: 0, gap: 0, loads: [10_000] },
  { lead: 0, gap: 60_000, loads: [10_000, 3_600_000] },
  { lead: 0.08, gap: 0, loads: [10_000] },
  { lead: 0.08, gap: 20, loads: [10_000] },
  { lead: 0.08, gap: 60_000, loads: [10_000, 3_600_000] },
])('a step back at the first frame shows the one before: $lead s lead, $gap ms gap', async ({ lead, gap, loads }) => {
  const { controller, reports, detach } = await paused(() => lead, endingAt(middle - gap))
  expect(controller.positionAt()).toBe(middle)
  reports.length = 0
  controller.step(-1)
  const loadedAgain = () => reports.filter(({ type }) => type === 'engine.loaded').length
  await vi.waitUntil(() => loadedAgain() === loads.length, patience)
  expect(archive.loads).toEqual([middle, ...loads.map((earlier) => middle - earlier)])
  expect(controller.positionAt()).toBe(middle - gap - frameMs)
  detach()
})

test.each([
  { first: 0, second: 0 },
  { first: 0.08, second: 0.08 },
  { first: 0, second: 0.08 },
])('steps reach the last frame before they end: leads of $first s and $second s', async ({ first, second }) => {
  const { controller, reports, hasEnded, detach } = await paused((utc) => (utc === middle ? first : second))
  const last = middle + 2 * segmentMs - frameMs
  controller.seek(last - frameMs)
  expect(controller.positionAt()).toBe(last - frameMs)
  controller.step(1)
  await vi.waitUntil(() => controller.positionAt() === last || hasEnded(), patience)
  expect([controller.positionAt(), hasEnded()]).toEqual([last, false])
  controller.step(1)
  await vi.waitUntil(hasEnded, patience)
  expect(reports.at(-1)).toEqual({ type: 'engine.ended', at: middle + 2 * segmentMs })
  expect(controller.positionAt()).toBe(last)
  detach()
})
