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
  return (found) => {
    const ahead = found.items.flatMap(({ daysAhead, limit }) => (limit === 'days' ? [] : (daysAhead ?? [])))
    bytes.set(found.items.reduce((sum, item) => sum + item.bytes, 0))
    free.set(found.freeBytes)
    if (ahead.length > 0) days.set(Math.min(...ahead))
    else days.remove()
    return found
  }
}
