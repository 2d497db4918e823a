import { afterEach, expect, test, vi } from 'vitest'
import { answered } from '../../../server/storage/answered.ts'
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
