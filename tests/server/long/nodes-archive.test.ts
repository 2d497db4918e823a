import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { endPostgres, openNodes, secret } from '../nodes.ts'
import { logged, segments } from '../video.ts'

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
    const uid = String(Reflect.get(Object(made), 'uid'))
    const recorded = segments(a.site, uid, 3)
    await beat(2)
    await recorded
    await b.site.reload()

    const moved = logged(b.site, uid, /^Recorded by node b/)
    const goesOn = segments(b.site, uid, 3)
    const put = { cookie: b.admin, body: { ...body, node: { id: 'b' } } }
    expect((await b.ask('PUT', `/v1/stream/${uid}`, put)).status).toBe(200)
    await beat(2)
    await moved
    await beat(2)
    await goesOn
    await b.site.change(uid, (row) => ({ ...row, isPaused: true }))
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
