import { Registry, type OpenMetricsContentType } from 'prom-client'
import { expect, test } from 'vitest'
import { measureRetention } from '../../../server/archive/retention/retention-metrics.ts'

const item = { name: '', bytes: 0, bytesPerDay: 0, daysKept: 0 }
const byDepth = { ...item, uid: 'gate', daysAhead: 1, limit: 'days' }
const byDisk = { ...item, uid: 'yard', daysAhead: 9, limit: 'disk' }

test('the days of recordings are those that space limits, not a depth that is set', async () => {
  const metrics = new Registry<OpenMetricsContentType>()
  const update = measureRetention(metrics)
  const daysOf = async (items: (typeof item & { uid: string; daysAhead: number; limit: string })[]) => {
    update({ items, freeBytes: 0, volumes: [] }, 0)
    const values = (await metrics.getMetricsAsJSON()).find(({ name }) => name === 'sightline_archive_days')?.values
    return values?.map(({ value }) => value)
  }
  expect(await daysOf([byDepth, byDisk])).toEqual([9])
  expect(await daysOf([byDepth])).toEqual([])
})

test('the days that fit on a volume are absent while they are unknown', async () => {
  const metrics = new Registry<OpenMetricsContentType>()
  const update = measureRetention(metrics)
  const volume = { path: '/mnt/a', state: 'there', totalBytes: 9, freeBytes: 5, bytes: 1 }
  const valuesOf = async (volumes: (typeof volume & { daysAhead?: number })[]) => {
    update({ items: [], freeBytes: 0, volumes }, 0)
    const found = (await metrics.getMetricsAsJSON()).find(({ name }) => name === 'sightline_archive_volume_days')
    return found?.values.map(({ labels, value }) => [labels['volume'], value])
  }
  expect(
    await valuesOf([
      { ...volume, daysAhead: 12.5 },
      { ...volume, path: '/mnt/b' },
    ]),
  ).toEqual([['/mnt/a', 12.5]])
  expect(await valuesOf([volume])).toEqual([])
})

test('volumes are counted by their state, and what disks leave free is beside what is free', async () => {
  const metrics = new Registry<OpenMetricsContentType>()
  const update = measureRetention(metrics)
  const volume = { path: '/mnt/a', state: 'there', totalBytes: 9, freeBytes: 5, bytes: 1 }
  const valuesOf = async (name: string) => {
    const found = (await metrics.getMetricsAsJSON()).find((metric) => metric.name === name)
    return Object.fromEntries(found?.values.map(({ labels, value }) => [labels['state'] ?? '', value]) ?? [])
  }
  const none = { there: 0, unlisted: 0, unwritable: 0, missing: 0, away: 0 }
  update({ items: [], freeBytes: 5, volumes: [volume, { ...volume, state: 'missing' }] }, 2)
  expect(await valuesOf('sightline_archive_volumes')).toEqual({ ...none, there: 1, missing: 1 })
  update({ items: [], freeBytes: 5, volumes: [volume, volume] }, 2)
  expect(await valuesOf('sightline_archive_volumes')).toEqual({ ...none, there: 2 })
  const bytes = ['sightline_archive_free_bytes', 'sightline_archive_reserve_bytes'].map(valuesOf)
  expect(await Promise.all(bytes)).toEqual([{ '': 5 }, { '': 2 }])
})
