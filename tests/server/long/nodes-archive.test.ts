import type { S3Client } from '@aws-sdk/client-s3'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { hasS3, type S3 } from '../../../scripts/s3.ts'
import { removeGarbage } from '../../../server/archive/index/garbage.ts'
import { removeStored } from '../../../server/archive/index/removing.ts'
import { openVolumes } from '../../../server/storage/volumes.ts'
import { endPostgres, openNodes, secret } from '../fixtures/nodes.ts'
import { keyOf, keysIn, useS3 } from '../fixtures/s3-archive.ts'
import { add, newFolder, record, t0, uid } from '../fixtures/tape.ts'
import { logged, segments } from '../fixtures/video.ts'

endPostgres()

const Row = z.object({ start: z.number(), finish: z.number(), volume: z.number() })
/** Segments of the demo cameras are as long. */
const segmentMs = 2000

describe.runIf(hasPostgres())('the archive of two nodes', () => {
  test('has a stream that was handed over once, without a gap and without an overlap', async () => {
    const { start, beat } = await openNodes()
    let aheadMs = 0
    const startNode = (nodeId: string) =>
      start(nodeId, {
        now: () => Date.now() + aheadMs,
        cluster: { nodeId, url: `http://${nodeId}.example`, secret, beatMs: 0 },
      })
    const [a, b] = [await startNode('a'), await startNode('b')]
    await beat()
    const body = { name: 'Gate', streamSource: 'demo:gate', archive: { isEnable: true }, node: { id: 'a' } }
    const { body: made } = await a.ask('POST', '/v1/stream', { cookie: a.admin, body })
    const stream = String(Reflect.get(Object(made), 'uid'))
    const recorded = segments(a.site, stream, 3)
    await beat(2)
    await recorded
    await b.site.reload()

    const moved = logged(b.site, stream, /^Recorded by node b/)
    const goesOn = segments(b.site, stream, 3)
    const put = { cookie: b.admin, body: { ...body, node: { id: 'b' } } }
    expect((await b.ask('PUT', `/v1/stream/${stream}`, put)).status).toBe(200)
    await beat(2)
    await moved
    await beat(2)
    await goesOn
    await b.site.change(stream, (row) => ({ ...row, isPaused: true }))
    const rows = () => b.context.store.all(Row, 'SELECT start, finish, volume FROM chunks ORDER BY start')
    await expect.poll(async () => new Set((await rows()).map(({ volume }) => volume)).size).toBe(2)
    aheadMs = 180_000
    for (const { site } of [a, b]) await site.settle()
    const found = await rows()
    for (const [position, { start: next }] of found.entries()) {
      const before = found[position - 1]
      if (before === undefined) continue
      expect(next - before.finish).toBeGreaterThanOrEqual(-5)
      expect(next - before.finish).toBeLessThan(segmentMs)
    }
    // Each node has its part on its own disk.
    expect(a.site.volumes.folders().map(({ id }) => id)).not.toEqual(b.site.volumes.folders().map(({ id }) => id))
  })
})

describe.runIf(hasPostgres() && hasS3())('the bucket of two nodes', () => {
  let s3: S3
  let client: S3Client
  useS3((started, itsClient) => {
    s3 = started
    client = itsClient
  })

  test('takes what each of them has recorded, and its leader alone removes garbage', async () => {
    const { start, beat } = await openNodes()
    const archiveUrl = s3.urlOf('site', 'nodes')
    const [a, b] = [await start('a', { archiveUrl }), await start('b', { archiveUrl })]
    await beat(2)
    expect([a, b].map(({ cluster }) => cluster.isLeader())).toEqual([true, false])
    await add(a)
    await record(a, 0, 4)
    await record(b, 4, 8)
    expect(await keysIn(client, 'nodes')).toEqual([0, 4].map(keyOf))
    const read = async () => {
      const segment = await a.site.index.at(uid, t0 + 5000)
      return segment && (await a.site.read(uid, segment)).toString('latin1', 4, 8)
    }
    expect(await read()).toBe('moof')

    const { index, volumes } = b.site
    const { signal } = new AbortController()
    const recording = (await index.recording(uid))?.recording ?? 0
    await removeStored(index, volumes, await index.oldest(recording, t0 + 4000, 9))
    await removeGarbage(index, volumes, signal)
    expect(await keysIn(client, 'nodes')).toEqual([0, 4].map(keyOf))
    await removeGarbage(a.site.index, a.site.volumes, signal)
    expect(await keysIn(client, 'nodes')).toEqual([4].map(keyOf))
  })

  test('is one volume, even if both find it new at the same time', async () => {
    const { start } = await openNodes()
    const nodes = [await start('a'), await start('b')]
    const opened = await Promise.all(
      nodes.map(({ context: { store, cluster } }) => {
        const dataDir = newFolder()
        const options = { store, cluster, dataDir, archiveDirs: [join(dataDir, 'archive')] }
        return openVolumes({ ...options, archiveUrl: s3.urlOf('site', 'new'), warn: () => undefined })
      }),
    )
    onTestFinished(async () => {
      for (const { stop } of opened) await stop()
    })
    const [one, other] = opened.map((volumes) => volumes.bucket())
    expect(one).toBeDefined()
    expect(other).toBe(one)
    expect(opened.map((volumes) => volumes.all().every(({ state }) => state === 'there'))).toEqual([true, true])
  })
})
