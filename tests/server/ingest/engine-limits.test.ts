import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { IngestSession } from '../../../server/archive/recorder/ingest-session.ts'
import { boxesIn, createBoxCutter, ImpossibleBox } from '../../../server/media/boxes.ts'
import { h264Arguments, partArguments } from '../../../server/media/encoding.ts'
import { readFragment, readInit } from '../../../server/media/fragments.ts'
import { withoutSoundLead } from '../../../server/media/sound-lead.ts'
import { spoolFile, streamFolder } from '../../../server/storage/folders.ts'
import { patience } from '../../fixtures/patience.ts'
import { drawnInit, fragmentAt, openRecorder, t0 } from '../fixtures/engine.ts'
import { decoded, probed } from '../fixtures/video.ts'

const init = drawnInit()
const mebibyte = 1024 * 1024
const fail = (error: unknown) => {
  throw error
}

type Opened = Awaited<ReturnType<typeof openRecorder>>
/** Half seconds of a connection: whether each begins with a keyframe, and its bytes. */
type Halves = readonly (readonly [isIndependent: boolean, bytes?: number])[]

/** Start and duration in seconds, and bytes, of what is recorded. */
const recordedIn = async ({ index }: Opened) =>
  (await index.within('door', 0, t0 + 1e9, 1000)).map((each) => [(each.start - t0) / 1000, each.duration, each.bytes])

/** Sends everything at once. */
const record = async (opened: Opened, halves: Halves) => {
  const taking = opened.recorder.begin({ init, mediaZeroAt: t0, fail })
  for (const [position, [isIndependent, bytes]] of halves.entries()) {
    taking.take(fragmentAt(position / 2, isIndependent, bytes), t0 + (position + 1) * 500)
    if (taking.ending() !== undefined) break
  }
  const ending = taking.ending()
  await taking.finish()
  return { ending, recorded: await recordedIn(opened) }
}

/** Sends one segment no faster than the disk takes it; the bytes of each half are its position. */
const sendAsWritten = async ({ dataDir }: Opened, taking: IngestSession, halves: Halves) => {
  const spool = join(streamFolder(dataDir, 'door'), spoolFile(t0))
  const sent: WeakRef<Buffer>[] = []
  let sentBytes = 0
  for (const [position, [isIndependent, bytes]] of halves.entries()) {
    const fragment = fragmentAt(position / 2, isIndependent, bytes)
    sentBytes += fragment.bytes.fill(position).length
    sent.push(new WeakRef(fragment.bytes))
    taking.take(fragment, t0 + (position + 1) * 500)
    if (position % 16 === 0) await expect.poll(() => statSync(spool).size, patience).toBeGreaterThanOrEqual(sentBytes)
  }
  return sent
}

/** How many of these are still in memory. */
const inMemory = async (sent: readonly WeakRef<Buffer>[]): Promise<number> => {
  await new Promise(setImmediate)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return sent.filter((each) => each.deref() !== undefined).length
}

/** Keyframes so many seconds apart. */
const gop = (seconds: number, count: number, bytes = 100) =>
  Array.from({ length: seconds * 2 * count }, (_, position) => [position % (seconds * 2) === 0, bytes] as const)

describe('a camera whose keyframes are far apart', () => {
  test.each([20, 30, 60])('%i s: each segment is what lies between two, and nothing is lost', async (seconds) => {
    const opened = await openRecorder()
    const { recorded, ending } = await record(opened, gop(seconds, 3))
    expect([ending, recorded]).toEqual([
      undefined,
      [0, 1, 2].map((position) => [position * seconds, seconds, seconds * 200]),
    ])
    expect((await opened.index.recording('door'))?.targetDuration).toBe(seconds)
    // A picture that came one and a half target durations ago is still live.
    const last = t0 + seconds * 3000
    expect([opened.live.isFresh(last + seconds * 1400), opened.live.isFresh(last + seconds * 1600 + 1000)]).toEqual([
      true,
      false,
    ])
  })

  test.each([8, 12])('60 s at %i Mbit/s: nothing is lost, and little is in memory', async (mbits) => {
    const cuts: number[] = []
    const opened = await openRecorder(undefined, { onCut: (bytes) => cuts.push(bytes) })
    const halfBytes = (mbits * 1e6) / 8 / 2
    const taking = opened.recorder.begin({ init, mediaZeroAt: t0, fail })
    const sent = await sendAsWritten(opened, taking, gop(60, 1, halfBytes))
    expect(await inMemory(sent)).toBeLessThan(30)
    const [growing] = opened.live.opened()
    expect(await growing?.read(5)).toEqual(Buffer.alloc(halfBytes, 5))
    for (const position of [120, 121])
      taking.take(fragmentAt(position / 2, position === 120), t0 + (position + 1) * 500)
    await taking.finish()
    expect([await recordedIn(opened), cuts, opened.failures]).toEqual([
      [
        [0, 60, 120 * halfBytes],
        [60, 1, 200],
      ],
      [],
      [],
    ])
  })

  test('is live while its next segment grows, although the last one is old', async () => {
    const { recorder, live } = await openRecorder()
    const taking = recorder.begin({ init, mediaZeroAt: t0, fail })
    for (const [position, [isIndependent]] of [...gop(1, 3), ...gop(30, 1)].entries())
      taking.take(fragmentAt(position / 2, isIndependent), t0 + (position + 1) * 500)
    await live.waitForSegment(AbortSignal.timeout(10_000))
    expect(live.isFresh(t0 + 33_000)).toBe(true)
    await taking.finish()
  })
})

describe('the memory that a source may use', () => {
  test('a box of 16 MiB and no larger one; the rest of one keeps no earlier one in memory', () => {
    const head = (size: number) => {
      const bytes = Buffer.alloc(8)
      bytes.writeUInt32BE(size)
      return bytes
    }
    expect(() => createBoxCutter()(head(16 * mebibyte + 1))).toThrow(ImpossibleBox)
    expect(() => createBoxCutter()(head(4))).toThrow(ImpossibleBox)
    const cut = createBoxCutter()
    expect(
      cut(Buffer.concat([head(mebibyte), Buffer.alloc(mebibyte - 8), head(12)])).map(({ length }) => length),
    ).toEqual([mebibyte])
    expect(cut(Buffer.from('pict')).map(({ length }) => length)).toEqual([12])
  })

  test('a segment of which 32 MiB wait for the disk ends without a keyframe, which is reported', async () => {
    const cuts: number[] = []
    const opened = await openRecorder(undefined, { onCut: (bytes) => cuts.push(bytes) })
    const { recorded, ending } = await record(opened, [...gop(10, 1, 4 * mebibyte), ...gop(1, 2)])
    expect([recorded, cuts, ending]).toEqual([
      [
        [0, 4, 32 * mebibyte],
        [10, 1, 200],
        [11, 1, 200],
      ],
      [32 * mebibyte],
      undefined,
    ])
  })

  test('a source without any keyframe ends its connection', async () => {
    const opened = await openRecorder()
    const { recorded, ending } = await record(opened, [[true], ...Array.from({ length: 300 }, () => [false] as const)])
    expect([recorded, ending]).toEqual([[[0, 66, 13_200]], 'noKeyframes'])
  })

  test('what waits for a slow disk: 64 MiB, and the rest is reported as lost', async () => {
    const opened = await openRecorder()
    const { recorded } = await record(opened, gop(1, 12, 4 * mebibyte))
    expect(new Set(opened.failures)).toEqual(new Set(['slow']))
    expect([recorded.length + opened.failures.length, opened.failures.length]).toEqual([12, 4])
  })

  test('what waits for a disk that hangs: no segment that was dropped stays in memory', async () => {
    const opened = await openRecorder()
    const [file, hanging] = [await open(join(opened.dataDir, 'x'), 'w'), Promise.withResolvers<void>()]
    const write = vi.spyOn(Object.getPrototypeOf(file), 'write')
    await file.close()
    write.mockImplementation(async (bytes) => {
      await hanging.promise
      return { bytesWritten: Buffer.isBuffer(bytes) ? bytes.length : 0 }
    })
    onTestFinished(() => void write.mockRestore())
    const sent: WeakRef<Buffer>[] = []
    const taking = opened.recorder.begin({ init, mediaZeroAt: t0, fail })
    for (let position = 0; position < 80; position += 1) {
      const fragment = fragmentAt(position / 2, position % 2 === 0, 2 * mebibyte)
      sent.push(new WeakRef(fragment.bytes))
      taking.take(fragment, t0 + (position + 1) * 500)
    }
    expect(await inMemory(sent)).toBeLessThan(40)
    hanging.resolve()
    await taking.finish()
  })

  test('a segment of 60 MiB of which the disk takes only 40: it is neither recorded nor live', async () => {
    const opened = await openRecorder()
    const file = await open(join(opened.dataDir, 'x'), 'w')
    const write = vi.spyOn(Object.getPrototypeOf(file), 'write')
    await file.close()
    onTestFinished(() => void write.mockRestore())
    const taking = opened.recorder.begin({ init, mediaZeroAt: t0, fail })
    await sendAsWritten(opened, taking, gop(20, 1, mebibyte))
    write.mockRejectedValue(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    for (let position = 40; position < 60; position += 1)
      taking.take(fragmentAt(position / 2, false, mebibyte), t0 + (position + 1) * 500)
    await taking.finish()
    expect(new Set(opened.failures)).toEqual(new Set(['full']))
    expect([await recordedIn(opened), opened.live.opened(), opened.live.listed().segments]).toEqual([[], [], []])
  })

  test('segments that could not be written: the newest 32 MiB, for live', async () => {
    const opened = await openRecorder(undefined, {
      target: () => ({ volume: 0, folder: '/dev/null/door', marker: undefined }),
    })
    for (let connection = 0; connection < 8; connection += 1) {
      const taking = opened.recorder.begin({ init, mediaZeroAt: t0 + connection * 2000, fail })
      for (const [position, [isIndependent]] of gop(1, 2).entries())
        taking.take(
          fragmentAt(position / 2, isIndependent, 2 * mebibyte),
          t0 + connection * 2000 + (position + 1) * 500,
        )
      await taking.finish()
    }
    const held = opened.live.listed().segments
    const read = await Promise.all(held.map((segment) => segment.readFromMemory?.()))
    expect(read.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0)).toBe(32 * mebibyte)
    expect(held.map(({ sequence }) => sequence)).toEqual([8, 9, 10, 11, 12, 13, 14, 15])
  })
})

test('sound before the first picture is removed from the first fragment, and the rest stays', () => {
  const drawn = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=64x64:r=25:d=2',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:sample_rate=48000:duration=2.6',
  ]
  const late = [
    '-vf',
    'setpts=PTS+0.6/TB',
    ...h264Arguments,
    '-g',
    '25',
    '-vsync',
    'passthrough',
    '-c:a',
    'aac',
    '-f',
    'mpegts',
    'pipe:1',
  ]
  const { stdout: sent } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', ...drawn, ...late])
  const copied = ['-map', '0:v:0', '-c:v', 'copy', '-map', '0:a:0', '-c:a', 'copy', '-bsf:a', 'aac_adtstoasc']
  const { stdout: film } = spawnSync('ffmpeg', ['-v', 'error', '-i', 'pipe:0', ...copied, ...partArguments], {
    input: sent,
  })
  const boxes = boxesIn(film)
  const at = (box: (typeof boxes)[number] | undefined) => film.subarray(box?.start, box?.end)
  const head = readInit(Buffer.concat(boxes.filter(({ type }) => type === 'ftyp' || type === 'moov').map(at)))
  if (head === undefined) throw new Error('no init')
  const position = boxes.findIndex(({ type }) => type === 'moof')
  const first = readFragment(Buffer.concat([at(boxes[position]), at(boxes[position + 1])]), head)
  if (first === undefined) throw new Error('no picture')
  expect(first.soundLead).toBeGreaterThan(0.4)
  const trimmed = withoutSoundLead(first, head)
  expect(trimmed.soundLead).toBeLessThan(0.001)
  expect([trimmed.start, trimmed.duration, trimmed.isIndependent, trimmed.picture.length]).toEqual([
    first.start,
    first.duration,
    true,
    first.picture.length,
  ])
  const picture = (fragment: typeof first) =>
    fragment.bytes.subarray(fragment.picture.offset, fragment.picture.offset + fragment.picture.length)
  expect(picture(trimmed).equals(picture(first))).toBe(true)
  const rest = boxes.slice(position + 2).map(at)
  const whole = Buffer.concat([head.bytes, trimmed.bytes, ...rest])
  expect([decoded(whole), probed(whole).packets]).toEqual(['', probed(film).packets])
})
