import { Gauge } from 'prom-client'
import type { Retention } from '../../../src/api/contract/archive.ts'
import type { Metrics } from '../../metrics/measures.ts'

/** As in the statistics. All are shown, so that an alert has something to compare. */
const states = ['there', 'unlisted', 'unwritable', 'missing', 'away']

/**
 * Adds metrics of the archive; the returned function updates them. `reserveBytes`: what recordings leave free of the
 * disks.
 */
export const measureRetention = (metrics: Metrics): ((found: Retention, reserveBytes: number) => Retention) => {
  const registers = [metrics]
  const bytes = new Gauge({ name: 'sightline_archive_bytes', help: 'Bytes of all recordings', registers })
  const free = new Gauge({
    name: 'sightline_archive_free_bytes',
    help: 'Free bytes of the disks that take recordings',
    registers,
  })
  const reserve = new Gauge({
    name: 'sightline_archive_reserve_bytes',
    help: 'Bytes that recordings leave free of these disks; the oldest are deleted below it',
    registers,
  })
  const volumes = new Gauge({
    name: 'sightline_archive_volumes',
    help: 'Archive volumes by state',
    labelNames: ['state'],
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
  return (found, reserveBytes) => {
    const ahead = found.items.flatMap(({ daysAhead, limit }) => (limit === 'days' ? [] : (daysAhead ?? [])))
    bytes.set(found.items.reduce((sum, item) => sum + item.bytes, 0))
    free.set(found.freeBytes)
    reserve.set(reserveBytes)
    for (const state of states) volumes.set({ state }, found.volumes.filter((volume) => volume.state === state).length)
    if (ahead.length > 0) days.set(Math.min(...ahead))
    else days.remove()
    ofVolumes.reset()
    for (const { path, daysAhead } of found.volumes)
      if (typeof daysAhead === 'number') ofVolumes.set({ volume: path }, daysAhead)
    return found
  }
}
