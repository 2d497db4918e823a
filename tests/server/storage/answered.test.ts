import { afterEach, expect, test, vi } from 'vitest'
import { answered, createDisk } from '../../../server/storage/answered.ts'
import { StorageAway } from '../../../server/storage/chunk-storage.ts'
import { isDiskError } from '../../../server/store/disk-error.ts'

afterEach(() => vi.useRealTimers())

test('a disk that does not answer is an error of the disk, of which nobody knows whether the file is there', async () => {
  vi.useFakeTimers()
  const call = answered('read', new Promise(() => undefined)).catch((error: unknown) => error)
  vi.advanceTimersByTime(30_000)
  const error = await call
  expect(error).toBeInstanceOf(StorageAway)
  expect(isDiskError(error)).toBe(true)
})

test('a call that is answered in time is what it was', async () => {
  expect(await answered('stat', Promise.resolve(7))).toBe(7)
  await expect(answered('stat', Promise.reject(new Error('ENOENT')))).rejects.toThrow('ENOENT')
})

test('a disk that hangs gets a few calls at once; the others wait, and are not made once they are late', async () => {
  vi.useFakeTimers()
  const disk = createDisk()
  const started: number[] = []
  const settle: ((result: string) => void)[] = []
  const late: string[] = []
  const calls = Array.from({ length: 6 }, (_, index) =>
    disk(
      'read',
      () => {
        started.push(index)
        return new Promise<string>((resolve) => settle.push(resolve))
      },
      { onLate: (result) => late.push(result) },
    ).catch((error: unknown) => error),
  )
  await vi.advanceTimersByTimeAsync(0)
  expect(started).toEqual([0, 1, 2])
  settle[0]?.('first')
  expect(await calls[0]).toBe('first')
  expect(started).toEqual([0, 1, 2, 3])
  await vi.advanceTimersByTimeAsync(30_000)
  for (const call of calls.slice(1)) expect(await call).toBeInstanceOf(StorageAway)
  for (const answer of settle) answer('late')
  await vi.advanceTimersByTimeAsync(0)
  expect([started, late]).toEqual([
    [0, 1, 2, 3],
    ['late', 'late', 'late'],
  ])
  const next = disk('read', async () => 'next')
  await vi.advanceTimersByTimeAsync(0)
  expect(await next).toBe('next')
})

test('what is due is called once the disk answers again, though nobody waits for it any more', async () => {
  vi.useFakeTimers()
  const disk = createDisk()
  const answers: (() => void)[] = []
  for (let call = 0; call < 3; call += 1)
    void disk('read', () => new Promise<void>((resolve) => answers.push(resolve))).catch(() => undefined)
  let isClosed = false
  const close = async () => {
    isClosed = true
  }
  const closing = disk('close', close, { isDue: true }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(30_000)
  expect([await closing, isClosed]).toEqual([expect.any(StorageAway), false])
  for (const answer of answers) answer()
  await vi.advanceTimersByTimeAsync(0)
  expect(isClosed).toBe(true)
})
