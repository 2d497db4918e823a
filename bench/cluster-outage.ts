import { setTimeout as after } from 'node:timers/promises'
import { minuteMs } from '../server/durations.ts'
import { notHandedIn } from './cluster/bookkeeping.ts'
import { print, unpairedFigures, withRecordingCluster } from './cluster/site.ts'
import type { Figure } from './figures.ts'
import { lostBetween } from './site/recording.ts'

/** The recording before and after the outage. */
const aroundMs = 90_000
/** The newest chunk isn't sealed yet. */
const newestMs = 75_000
const handedInWithinMs = 15 * minuteMs

/** `cluster-outage`: the bucket of three nodes that record 24 cameras is away for `minutes`. */
export const clusterOutage = (minutes: number): Promise<Figure[]> =>
  withRecordingCluster(async ({ site, first, uids }) => {
    await after(aroundMs)

    const from = Date.now()
    await site.s3.cut()
    print(`the bucket is away for ${minutes} min`)
    await after(minutes * minuteMs)
    await site.s3.start()
    const back = Date.now()
    const waiting = await notHandedIn(site, back)
    print(`it is back, and ${waiting} chunks wait`)
    while ((await notHandedIn(site, back - newestMs)) > 0 && Date.now() - back < handedInWithinMs) await after(500)
    const seconds = (Date.now() - back) / 1000
    await after(aroundMs)

    const lost: number[] = []
    for (const uid of uids) lost.push(await lostBetween(first, [uid], from - newestMs, back))
    return [
      {
        name: `until all chunks of ${minutes} min without the bucket are handed in`,
        values: [seconds],
        unit: 's',
        goal: {},
      },
      { name: 'chunks that waited', values: [waiting], unit: 'chunks', goal: {} },
      { name: 'lost of each camera: bucket away', values: lost, unit: 's', goal: { worst: 0 } },
      ...(await unpairedFigures(site)),
    ]
  })
