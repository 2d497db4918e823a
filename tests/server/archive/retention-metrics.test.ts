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
    update({ items, freeBytes: 0, volumes: [] })
    const values = (await metrics.getMetricsAsJSON()).find(({ name }) => name === 'sightline_archive_days')?.values
    return values?.map(({ value }) => value)
  }
  expect(await daysOf([byDepth, byDisk])).toEqual([9])
  expect(await daysOf([byDepth])).toEqual([])
})
