import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { missingInBucket, unpaired, withStore } from '../../../bench/cluster/bookkeeping.ts'
import { recordedTwice } from '../../../bench/cluster/overlaps.ts'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { hasS3 } from '../../../scripts/s3.ts'
import { overlapMs } from '../../../server/archive/format/segment.ts'
import { patience } from '../../fixtures/patience.ts'
import { openTwoServers } from '../fixtures/two-servers.ts'

/** Segments that may not have been whole when the node was stopped. */
const unfinishedMs = 4000
const Until = z.object({ until: z.nullable(z.number()) })
/** The end of what was recorded by runs that began before a moment. */
const lastOfRuns = 'SELECT max(finish) AS until FROM chunks WHERE run IN (SELECT run FROM chunks WHERE start < ?)'

test.runIf(hasPostgres() && hasS3())(
  'a node that hangs for longer than its lease adds, once it goes on, only what it recorded before it lost the camera',
  async () => {
    const { site, first: hung, other, uid, from, pinTo, untilRecordedBy, tenures } = await openTwoServers()
    const at = Date.now()
    hung.signal('SIGSTOP')
    await untilRecordedBy(other)
    // After a second hand-over its chunk would wait for minutes.
    await pinTo(other.id)
    hung.signal('SIGCONT')
    const isFenced = async () => (await hung.placement()).every(({ nodeId }) => nodeId === other.id)
    await vi.waitUntil(isFenced, patience)

    // What it had on its disk is in the bucket, although it was recorded under a lease that has ended.
    const inBucket = async () => (await missingInBucket(site, [uid], from, at - unfinishedMs))[0]
    await vi.waitUntil(async () => ((await inBucket()) ?? Infinity) < 0.5, patience)
    const found = await tenures.stop()
    const since = found.find(({ node }) => node === other.id)?.since ?? 0
    const last = await withStore(site, (store) => store.get(Until, lastOfRuns, at))
    expect(last?.until).toBeGreaterThan(from)
    expect(last?.until).toBeLessThanOrEqual(since + overlapMs)
    expect(found.map(({ node }) => node)).toEqual([hung.id, other.id])
    expect(await recordedTwice(other.ask, uid, from, Date.now())).toBe(0)
    expect(await unpaired(site)).toEqual({ rows: [], objects: [] })
  },
  240_000,
)
