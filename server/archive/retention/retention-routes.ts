import { Retention, type RetentionVolume } from '../../../src/api/contract/archive.ts'
import type { ServerContext } from '../../context.ts'
import { dayMs, hourMs, minuteMs } from '../../durations.ts'
import { guarded } from '../../guarded.ts'
import type { App } from '../../http/fastify.ts'
import type { Site } from '../../streams/site.ts'
import { periodOfBoth, streamOf } from '../../streams/substream.ts'
import { streamTotals, type StreamTotal } from './fair-share.ts'
import { deletedFirst, everywhere } from './oldest-unlocked.ts'
import { measureRetention } from './retention-metrics.ts'
import { forecastRetention, type ForecastInput } from './retention-forecast.ts'
import { createRecordedHours } from './recorded-hours.ts'
import { siteBytesOf } from './retention.ts'
import { nameOfBucket } from '../../storage/bucket-url.ts'
import { reserveOf } from '../../storage/volume-files.ts'
import type { Volume } from '../../storage/volumes.ts'

const hundredth = (value: number): number => Math.round(value * 100) / 100
const hoursInDay = dayMs / hourMs

/** One volume of each file system: volumes of one share its space. */
const distinctDisks = (volumes: readonly Volume[]): Volume[] => [
  ...new Map(volumes.map((volume) => [volume.device, volume])).values(),
]

/** What is kept of each stream, how many days that is and will be, and what is deleted first. */
export const retentionRoutes = async (app: App, context: ServerContext, site: Site): Promise<void> => {
  const { store, features, settings, now } = context
  const { index, volumes } = site
  features.add('retention')
  const updateMetrics = measureRetention(context.metrics)
  const recordedHours = createRecordedHours(store, now)
  site.segmentListeners.push((recording, { bytes }) => {
    const stream = streamOf(recording)
    if (site.store.find(stream)?.isArchived === true) recordedHours.add(stream, bytes)
  })
  const saveRates = async (): Promise<void> => {
    await recordedHours.save()
    await forecast(async () => 0)
  }
  const timer = setInterval(guarded('retention: rates', saveRates), minuteMs)
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await recordedHours
      .save()
      .catch((error: unknown) => context.log.warn({ err: error }, 'rates of recording not saved'))
  })

  const forecastInputOf = async (total: StreamTotal, bytesPerDay: number): Promise<ForecastInput> => {
    const { uid } = total
    const stream = site.store.find(uid)
    const depths = [stream?.depthHours ?? (await index.orphanOf(uid))?.depthHours ?? -1, settings.archiveMaxDepthHours]
    const depthHours = Math.min(...depths.filter((each) => each > 0))
    const quotaBytes = stream?.quotaBytes ?? Infinity
    return {
      ...total,
      bytesPerDay: stream?.isArchived === true ? bytesPerDay : 0,
      depthDays: depthHours / hoursInDay,
      quotaBytes,
    }
  }

  /** What streams have on disks that nothing new is recorded to. */
  const bytesApart = async (disks: readonly Volume[]): Promise<Map<string, number>> => {
    const apart = volumes
      .available()
      .filter(({ isListed, device }) => !isListed && disks.every((disk) => disk.device !== device))
    const totals = await Promise.all(apart.map(({ id }) => index.totalsOn(id)))
    return new Map(streamTotals(totals.flat()).map(({ uid, bytes }) => [uid, bytes]))
  }

  const daysKept = async (uid: string): Promise<number> => {
    const period = await periodOfBoth(index, uid)
    return period === null ? 0 : (period.endTime - period.startTime) / dayMs
  }

  const volumeOf = async (volume: Volume, bytesPerDay: number): Promise<RetentionVolume> => {
    const { id, path, isBucket, isListed, state, freeBytes, totalBytes } = volume
    const totals = streamTotals(await index.totalsOn(id))
    const bytes = totals.reduce((sum, each) => sum + each.bytes, 0)
    // With a bucket, recordings only wait on the disks.
    const keepsRecordings = volumes.bucket() === undefined && isListed && state === 'there'
    const available = bytes + Math.max(0, freeBytes - reserveOf(volume))
    return {
      path: isBucket ? nameOfBucket(path) : path,
      state: state === 'there' && !isListed ? 'unlisted' : state,
      freeBytes,
      totalBytes,
      bytes,
      ...(keepsRecordings && bytesPerDay > 0 ? { daysAhead: hundredth(available / bytesPerDay) } : {}),
      first: (await deletedFirst(site, [volume], totals))?.uid ?? null,
    }
  }

  /** `daysOf`: how many days are kept of a stream. That takes several queries for each, so only the page asks it. */
  const forecast = async (daysOf: (uid: string) => Promise<number>): Promise<Retention> => {
    await volumes.refresh()
    const totals = streamTotals(await index.totals())
    const disks = distinctDisks(volumes.folders().filter(({ isListed }) => isListed))
    const freeOnDisks = disks.reduce((sum, disk) => sum + Math.max(0, disk.freeBytes - reserveOf(disk)), 0)
    const free = volumes.bucket() === undefined ? freeOnDisks : Infinity
    const apart = await bytesApart(disks)
    const bytesForNew = ({ uid, bytes }: Pick<StreamTotal, 'uid' | 'bytes'>): number => bytes - (apart.get(uid) ?? 0)
    const diskBytes = totals.reduce((sum, each) => sum + bytesForNew(each), free)
    const siteBytes = siteBytesOf(settings)
    const { ms, bytes } = await recordedHours.lastDay()
    const countedMs = Math.min(ms, dayMs)
    const inputs: ForecastInput[] = []
    for (const total of totals) {
      const { createdAt = 0 } = site.store.find(total.uid) ?? {}
      const recordedMs = Math.max(minuteMs, Math.min(countedMs, now() - createdAt))
      inputs.push(await forecastInputOf(total, ((bytes.get(total.uid) ?? 0) * dayMs) / recordedMs))
    }
    // The size limit counts all that is kept.
    const limited = siteBytes < diskBytes ? inputs : inputs.map((each) => ({ ...each, bytes: bytesForNew(each) }))
    const forecasts = forecastRetention(limited, siteBytes, diskBytes)
    const names = new Map((await index.orphaned()).map(({ uid, name }) => [uid, name]))
    const items: Retention['items'] = []
    for (const [index, { uid, bytes: keptBytes, bytesPerDay }] of inputs.entries()) {
      const { daysAhead = null, limit = 'none' } = forecasts[index] ?? {}
      items.push({
        uid,
        name: site.store.find(uid)?.name ?? names.get(uid) ?? '',
        bytes: keptBytes,
        bytesPerDay: Math.round(bytesPerDay),
        daysKept: hundredth(await daysOf(uid)),
        daysAhead: daysAhead === null ? null : hundredth(daysAhead),
        limit,
      })
    }
    const bytesPerDay = inputs.reduce((sum, each) => sum + each.bytesPerDay, 0)
    site.daysAhead = new Map(items.map(({ uid, daysAhead = null }) => [uid, daysAhead]))
    const found = {
      items,
      first: (await deletedFirst(site, everywhere(volumes), totals))?.uid ?? null,
      freeBytes: disks.reduce((sum, disk) => sum + disk.freeBytes, 0),
      volumes: await Promise.all(volumes.all().map((volume) => volumeOf(volume, bytesPerDay))),
    }
    return updateMetrics(
      found,
      disks.reduce((sum, disk) => sum + reserveOf(disk), 0),
    )
  }

  app.get(
    '/v1/admin/retention',
    {
      config: { access: { to: 'administrator' } },
      schema: { tags: ['administration'], response: { 200: Retention } },
    },
    () => forecast(daysKept),
  )
  await forecast(async () => 0).catch((error: unknown) => context.log.warn({ err: error }, 'retention not forecast'))
}
