import { afterEach, expect, test, vi } from 'vitest'
import { createStillCache } from './stills.ts'

/** Pictures are named by their moment; `closed` has the ones that were closed. */
function cache() {
  const closed: number[] = []
  vi.stubGlobal('createImageBitmap', async (file: Blob) => {
    const at = Number(await file.text())
    if (Number.isNaN(at)) throw new DOMException('The source image could not be decoded.', 'InvalidStateError')
    return { at, close: () => void closed.push(at) }
  })
  return { ...createStillCache(), closed }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const never = new AbortController().signal
const file = async (at: number) => new Blob([String(at)])

test('each still is fetched once, also if there is no picture of its moment', async () => {
  const { fill, read } = cache()
  const requested: number[] = []
  const fetchStill = async (at: number) => {
    requested.push(at)
    return at === 2 ? null : file(at)
  }
  await fill([1, 2], fetchStill, never)
  await fill([1, 2, 3], fetchStill, never)
  expect([requested, [1, 2, 3, 4].map((at) => read(at))]).toMatchObject([
    [1, 2, 3],
    [{ at: 1 }, null, { at: 3 }, null],
  ])
})

test('three are fetched at a time', async () => {
  const { fill } = cache()
  let inFlight = 0
  const counts: number[] = []
  await fill(
    [1, 2, 3, 4, 5, 6, 7],
    async (at) => {
      counts.push((inFlight += 1))
      await file(at)
      inFlight -= 1
      return file(at)
    },
    never,
  )
  expect(Math.max(...counts)).toBe(3)
})

test('failed requests end the fill, and are repeated by the next one', async () => {
  const { fill } = cache()
  const requested: number[] = []
  const fails = async (at: number) => void requested.push(at)
  await fill([1, 2, 3, 4, 5], fails, never)
  await fill([1], fails, never)
  expect(requested).toEqual([1, 2, 3, 1])
})

test('a file that is no picture counts as missing and stops nothing', async () => {
  const { fill, read } = cache()
  const requested: number[] = []
  const fetchStill = async (at: number) => {
    requested.push(at)
    return at === 1 ? new Blob(['no picture']) : file(at)
  }
  await fill([1, 2, 3, 4, 5], fetchStill, never)
  await fill([1], fetchStill, never)
  expect([requested, [1, 5].map(read)]).toMatchObject([
    [1, 2, 3, 4, 5],
    [null, { at: 5 }],
  ])
})

test('a picture that comes after an abort is closed', async () => {
  const { fill, read, closed } = cache()
  const ending = new AbortController()
  const filled = fill(
    [1],
    async (at) => {
      ending.abort()
      return file(at)
    },
    ending.signal,
  )
  await expect(filled).rejects.toThrow('The request was aborted')
  expect([read(1), closed]).toEqual([null, [1]])
})

test('the oldest of 240 is closed, and all when the cache is cleared', async () => {
  const { fill, read, version, clear, closed } = cache()
  await fill(
    Array.from({ length: 241 }, (_, at) => at),
    file,
    never,
  )
  expect([closed, read(0), version()]).toEqual([[0], null, 241])
  clear()
  expect(closed.length).toBe(241)
})
