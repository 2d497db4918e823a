import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packTable } from '../server/archive/format/chunk-table.ts'
import { createSegmentIndex } from '../server/archive/index/segment-index.ts'
import { archiveSteps } from '../server/archive/repair/tables.ts'
import { dayMs, hourMs, minuteMs } from '../server/durations.ts'
import { boxesIn } from '../server/media/boxes.ts'
import { fragmentArguments } from '../server/media/encoding.ts'
import { readInit } from '../server/media/fragments.ts'
import { decodeKeyframes, readKeyframe } from '../server/media/keyframes.ts'
import { cellCount, columns, createGridComparison, pointColumns, pointRows } from '../server/motion/grid.ts'
import { packSamples } from '../server/motion/grid-record.ts'
import { createMotionRows } from '../server/motion/motion-rows.ts'
import { createMotionSearch } from '../server/motion/search.ts'
import { motionSteps } from '../server/motion/tables.ts'
import { openStore, type Store } from '../server/store/store.ts'
import { streamsSteps } from '../server/streams/tables.ts'
import { usersSteps } from '../server/users/tables.ts'
import type { Figure } from './figures.ts'
import { repeatableRandom } from './harness.ts'

const days = 31
const t0 = Date.parse('2026-08-01T00:00:00.000Z')
const end = t0 + days * dayMs
const segmentMs = 2000
const segmentsEach = minuteMs / segmentMs
const repeats = 5
const area = { x: 0.25, y: 0.25, w: 0.25, h: 0.25 }
const goalSeconds = 5

const figure = (name: string, values: readonly number[], unit: string, worst?: number): Figure => ({
  name,
  values,
  unit,
  goal: worst === undefined ? {} : { worst },
})

/** The segments of a minute, three times those of 20 s: a noisy picture in which something moves. */
const minuteOf = (size: string, bitRate: string) => {
  const source = `testsrc2=s=${size}:r=25:d=20,noise=alls=8:allf=t`
  const { stdout } = spawnSync(
    'ffmpeg',
    [
      ...'-nostdin -v error -f lavfi -i'.split(' '),
      source,
      ...'-c:v libx264 -preset ultrafast -g 50 -keyint_min 50 -sc_threshold 0 -pix_fmt yuv420p -b:v'.split(' '),
      bitRate,
      ...fragmentArguments,
    ],
    { maxBuffer: 1e9 },
  )
  const boxes = boxesIn(stdout)
  const head = boxes.filter(({ type }) => type === 'ftyp' || type === 'moov')
  const init = readInit(Buffer.concat(head.map(({ start, end: to }) => stdout.subarray(start, to))))
  if (init === undefined) throw new Error('no video was made')
  const moofs = boxes.filter(({ type }) => type === 'moof')
  const segments = moofs.map(({ start }, at) => stdout.subarray(start, moofs[at + 1]?.start ?? stdout.length))
  return { init, segments: [...segments, ...segments, ...segments] }
}

/** Seconds to index an hour, one process a minute, and the bytes of a minute's record. */
const indexing = async (size: string, bitRate: string): Promise<{ seconds: number[]; bytes: number }> => {
  const { init, segments } = minuteOf(size, bitRate)
  const seconds: number[] = []
  let bytes = 0
  for (let count = 0; count < repeats; count += 1) {
    const began = performance.now()
    const read = (segment: Buffer) =>
      readKeyframe(segment.length, init, async (offset, length) => segment.subarray(offset, offset + length))
    const pictures = (await Promise.all(segments.map(read))).flatMap((picture) => picture ?? [])
    const frame = { width: pointColumns, height: pointRows }
    const lumas = await decodeKeyframes(pictures, init, frame, new AbortController().signal)
    if (lumas?.length !== segments.length) throw new Error('a keyframe was not decoded')
    const grid = createGridComparison()
    const samples = lumas.flatMap((luma, at) => {
      const levels = grid.next(luma)
      return levels === undefined ? [] : [{ from: at * segmentMs - segmentMs, to: at * segmentMs, levels }]
    })
    bytes = packSamples(samples, 0).length
    seconds.push(((performance.now() - began) / 1000) * (hourMs / minuteMs))
  }
  return { seconds, bytes }
}

/** A month of one camera: in a tenth of its samples some cells have motion. */
const fill = async (store: Store): Promise<number> => {
  const random = repeatableRandom(1)
  await store.run(
    "INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES ('gate', 0, 0, 2)",
  )
  await store.run(
    `INSERT INTO runs (recording, key, init, codecs, width, height, has_sound, first)
     VALUES (1, 'a', ?, 'avc1', 1, 1, 0, ?)`,
    new Uint8Array(1),
    t0,
  )
  const rows = createMotionRows(store)
  let bytes = 0
  const addHour = async (from: number): Promise<void> => {
    for (let start = from; start < from + hourMs; start += minuteMs) {
      const times = Array.from({ length: segmentsEach }, (_, at) => start + at * segmentMs)
      const table = packTable(
        times.map((time, at) => ({
          start: time,
          finish: time + segmentMs,
          duration: segmentMs / 1000,
          mediaStart: (time - t0) / 1000,
          offset: at * 500_000,
          bytes: Math.round(400_000 + random() * 100_000),
        })),
        90_000,
      )
      await store.run(
        'INSERT INTO chunks (recording, start, finish, run, bytes, segments) VALUES (1, ?, ?, 1, 15000000, ?)',
        start,
        start + minuteMs,
        table,
      )
      const samples = times.map((time) => {
        const levels = new Uint8Array(cellCount)
        // Something moves a tenth of the time, as large as a sixteenth of the picture, anywhere.
        const first = random() < 0.1 ? Math.floor(random() * cellCount) : cellCount
        for (let row = 0; row < 3; row += 1) levels.fill(12, first + row * columns, first + row * columns + 4)
        return { from: time - segmentMs, to: time, levels }
      })
      const cells = packSamples(samples, start)
      bytes += cells.length
      await rows.add(1, start, cells)
    }
  }
  for (let hour = t0; hour < end; hour += hourMs) await store.transaction(() => addHour(hour))
  return bytes / ((end - t0) / minuteMs)
}

/** The motion index and the search in it, of one camera. */
export const motion = async (): Promise<Figure[]> => {
  const small = await indexing('640x360', '500k')
  const large = await indexing('1920x1080', '4M')
  const folder = mkdtempSync(join(tmpdir(), 'sightline-motion-'))
  const schema = new Map([
    ['users', usersSteps],
    ['streams', streamsSteps],
    ['archive', archiveSteps],
    ['motion', motionSteps],
  ])
  const store = await openStore(join(folder, 'x.db'), undefined, schema)
  try {
    const bytes = await fill(store)
    const search = createMotionSearch(createSegmentIndex(store), createMotionRows(store))
    const timed = async (from: number, maxItems = 1_000_000): Promise<number> => {
      const began = performance.now()
      const found = await search({ uid: 'gate', from, to: end, area, sensitivity: 50, maxItems })
      if (found.searchedUntil !== end) throw new Error('the search is not complete')
      return (performance.now() - began) / 1000
    }
    const several = async (from: number): Promise<number[]> => {
      const seconds: number[] = []
      for (let count = 0; count < repeats; count += 1) seconds.push(await timed(from))
      return seconds
    }
    const ofDay = await several(end - dayMs)
    const ofMonth = await several(t0)
    await store.run('DELETE FROM motion WHERE start >= ?', end - dayMs)
    const bySize = await several(end - dayMs)
    return [
      figure(
        'search of a day of one camera',
        ofDay.map((each) => each * 1000),
        'ms',
        goalSeconds * 1000,
      ),
      figure(
        'search of 31 days of one camera',
        ofMonth.map((each) => each * 1000),
        'ms',
      ),
      figure(
        'search of a day without an index, by size',
        bySize.map((each) => each * 1000),
        'ms',
        goalSeconds * 1000,
      ),
      figure('indexing an hour of 640 × 360, one thread', small.seconds, 's'),
      figure('indexing an hour of 1920 × 1080, one thread', large.seconds, 's'),
      figure('index of a minute, motion in a tenth of the samples', [bytes], 'B'),
      figure('index of a minute in which everything moves', [Math.max(small.bytes, large.bytes)], 'B'),
    ]
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
