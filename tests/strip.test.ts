import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { installStripReader, type Reading } from '../bench/strip.ts'

const t0 = Date.parse('2026-11-28T08:00:00.000Z')
const width = 64
/** What the player shows, reading by reading; the last one stays. */
const screen: { readings: (Reading | null)[] } = { readings: [] }

const now = (): Reading | null => screen.readings[0] ?? null
const next = (): void => {
  if (screen.readings.length > 1) screen.readings.shift()
}

/** The row of the picture that has the cells of the frame's time. */
const stripOf = (frame: number): Uint8ClampedArray => {
  const units = BigInt(frame / 40) % 2n ** 32n
  const cellOf = (x: number): bigint => (units >> BigInt(31 - Math.floor((x * 32) / width))) & 1n
  return Uint8ClampedArray.from({ length: width * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : Number(cellOf(Math.floor(at / 4))) * 255,
  )
}

beforeEach(() => {
  screen.readings = []
  const pen = {
    clearRect: () => undefined,
    drawImage: () => undefined,
    getImageData: () => {
      const data = stripOf(now()?.frame ?? 0)
      next()
      return { data }
    },
  }
  const time = { getAttribute: () => new Date(now()?.shown ?? t0).toISOString() }
  const video = () => ({ readyState: now() === null ? 0 : 4, videoWidth: width })
  vi.stubGlobal('document', {
    createElement: () => ({ width, height: 8, getContext: () => pen }),
    querySelector: (selector: string) => (selector === 'video' ? video() : time),
  })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.useFakeTimers()
  installStripReader()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const steady = async () => {
  const reading = globalThis.bench.readSteady(60)
  await vi.runAllTimersAsync()
  return reading
}

const late = { frame: t0 + 280, shown: t0 }
const right = { frame: t0 + 280, shown: t0 + 280 }

test('a reading is dropped if the clock follows the frame within it', async () => {
  screen.readings = [late, right]
  expect(await steady()).toBe('changed')
})

test('a reading is dropped if the frame changes within it', async () => {
  screen.readings = [right, { ...right, frame: t0 + 560 }]
  expect(await steady()).toBe('changed')
})

test('a reading is dropped if the picture ends within it', async () => {
  screen.readings = [right, null]
  expect(await steady()).toBe('changed')
})

test('a clock that is wrong for longer is an error, whatever its size', async () => {
  for (const shown of [t0, t0 + 240, t0 + 3_600_000]) {
    screen.readings = [{ frame: t0 + 280, shown }]
    expect(await steady()).toEqual({ frame: t0 + 280, shown })
  }
})

test.each([
  ['before', 60],
  ['within', 5],
])('a wrong reading counts if the page was busy for a frame %s it', async (_, delayed) => {
  const timer = globalThis.setTimeout
  vi.stubGlobal('setTimeout', (act: () => void, ms: number) => timer(act, ms === delayed ? ms + 17 : ms))
  screen.readings = [late, right]
  expect(await steady()).toEqual(late)
})

test('without a picture there is no reading', async () => {
  screen.readings = [null]
  expect(await steady()).toBeNull()
})
