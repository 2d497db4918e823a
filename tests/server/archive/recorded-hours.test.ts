import { expect, test } from 'vitest'
import { createRecordedHours, retentionSteps } from '../../../server/archive/retention/recorded-hours.ts'
import { dayMs, hourMs, minuteMs } from '../../../server/durations.ts'
import { memoryStore } from '../fixtures/memory-store.ts'

const t0 = Date.parse('2026-11-21T08:30:00.000Z')

const open = async () => {
  const store = await memoryStore(new Map([['retention', retentionSteps]]))
  let time = t0
  return {
    hours: createRecordedHours(store, () => time),
    again: () => createRecordedHours(store, () => time),
    store,
    wait: (ms: number) => {
      time += ms
    },
  }
}

const plain = async (hours: ReturnType<typeof createRecordedHours>) => {
  const { ms, bytes } = await hours.lastDay()
  return { ms, bytes: Object.fromEntries(bytes) }
}

test('recorded bytes count at once, and after a restart', async () => {
  const { hours, again, wait } = await open()
  hours.add('door', 100)
  expect(await plain(hours)).toEqual({ ms: minuteMs, bytes: { door: 100 } })
  wait(hourMs)
  await hours.save()
  hours.add('door', 20)
  hours.add('yard', 5)
  await hours.save()
  await hours.save()
  // Since the beginning of the first hour.
  expect(await plain(again())).toEqual({ ms: 1.5 * hourMs, bytes: { door: 120, yard: 5 } })
})

test('the period of a day is that of the hours which are counted', async () => {
  const { hours, wait } = await open()
  for (let minute = 0; minute < 30 * 60; minute += 1) {
    hours.add('door', 1)
    wait(minuteMs)
  }
  // At 14:30, the hours from 15:00 on.
  expect(await plain(hours)).toEqual({ ms: 23.5 * hourMs, bytes: { door: 23.5 * 60 } })
})

test('a day later they no longer count, and are deleted', async () => {
  const { hours, store, wait } = await open()
  hours.add('door', 100)
  await hours.save()
  wait(dayMs)
  hours.add('door', 7)
  expect((await plain(hours)).bytes).toEqual({ door: 7 })
  wait(2 * hourMs)
  await hours.save()
  expect((await plain(hours)).bytes).toEqual({ door: 7 })
  await store.run('DELETE FROM recorded_hours WHERE bytes = 7')
  expect((await plain(hours)).bytes).toEqual({})
})

test('bytes that could not be saved are saved later', async () => {
  const { hours, store, again } = await open()
  hours.add('door', 100)
  await store.run('ALTER TABLE recorded_hours RENAME TO elsewhere')
  await expect(hours.save()).rejects.toThrow(/no such table|does not exist/)
  hours.add('door', 11)
  await store.run('ALTER TABLE elsewhere RENAME TO recorded_hours')
  await hours.save()
  expect((await plain(again())).bytes).toEqual({ door: 111 })
})
