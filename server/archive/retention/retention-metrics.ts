import { Gauge } from 'prom-client'
import type { Retention } from '../../../src/api/contract/archive.ts'
import type { Metrics } from '../../metrics/measures.ts'

/** Adds metrics of the archive; the returned function updates them. */
export const measureRetention = (metrics: Metrics): ((found: Retention) => Retention) => {
  const registers = [metrics]
  const bytes = new Gauge({ name: 'sightline_archive_bytes', help: 'Bytes of all recordings', registers })
  const free = new Gauge({
    name: 'sightline_archive_free_bytes',
    help: 'Free bytes of the disks that take recordings',
    registers,
  })
  const days = new Gauge({
    name: 'sightline_archive_days',
    help: 'Days of recordings at the rate of the last day, of the stream that space limits most',
    registers,
  })
  const ofVolumes = new Gauge({
    name: 'sightline_archive_volume_days',
    help: 'Days of recordings of all streams that fit on a volume, at the rate of the last day',
    labelNames: ['volume'],
    registers,
  })
  return (found) => {
    const ahead = found.items.flatMap(({ daysAhead, limit }) => (limit === 'days' ? [] : (daysAhead ?? [])))
    bytes.set(found.items.reduce((sum, item) => sum + item.bytes, 0))
    free.set(found.freeBytes)
    if (ahead.length > 0) days.set(Math.min(...ahead))
    else days.remove()
    ofVolumes.reset()
    for (const { path, daysAhead } of found.volumes)
      if (typeof daysAhead === 'number') ofVolumes.set({ volume: path }, daysAhead)
    return found
  }
}
