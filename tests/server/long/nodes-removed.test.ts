import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { removeGarbage } from '../../../server/archive/index/garbage.ts'
import { createRetention } from '../../../server/archive/retention/retention.ts'
import { archiveFolder, chunkFile } from '../../../server/storage/folders.ts'
import { endPostgres, openNodes, type Node } from '../fixtures/nodes.ts'
import { add, newFolder, record, t0, uid } from '../fixtures/tape.ts'

endPostgres()

const { signal } = new AbortController()
const Row = z.object({ start: z.number(), bytes: z.number(), volume: z.number() })
const rowsOf = ({ context }: Node) => context.store.all(Row, 'SELECT start, bytes, volume FROM chunks ORDER BY start')
const startsOf = async (node: Node): Promise<number[]> => (await rowsOf(node)).map(({ start }) => (start - t0) / 1000)
const hasFile = ({ context: { dataDir } }: Node, second: number): boolean =>
  existsSync(join(archiveFolder(dataDir), uid, chunkFile(t0 + second * 1000)))

/** Two nodes, of which `b` has recorded before `a`, which leads. */
const recorded = async () => {
  const nodes = await openNodes()
  const dataDir = newFolder()
  const [a, b] = [await nodes.start('a'), await nodes.start('b', { dataDir })]
  await nodes.beat(2)
  await add(a)
  await record(b, 0, 4, { chunkSeconds: 2 })
  await record(a, 4, 8, { chunkSeconds: 2 })
  for (const { site } of [a, b]) await site.volumes.refresh()
  return { ...nodes, a, b, dataDir }
}

const sweep = async ({ context, site }: Node): Promise<void> => {
  const retention = createRetention({ ...context, now: () => t0 + 60_000 }, site, async () => ({
    freeBytes: 2e10,
    totalBytes: 2e10,
  }))
  await retention.sweep()
  await retention.stop()
}

const removeB = (node: Node) => node.ask('DELETE', '/v1/system/cluster/node/b', { cookie: node.admin })
const nodeB = async (node: Node): Promise<unknown> =>
  (await node.ask('GET', '/v1/system/cluster/node/b', { cookie: node.admin })).body

describe.runIf(hasPostgres())('recordings on the disks of nodes', () => {
  test('the leader picks the oldest of all nodes; each node deletes its own', async () => {
    const { a, b } = await recorded()
    const bytes = (await rowsOf(a)).map((row) => row.bytes)
    const quotaBytes = (bytes[2] ?? 0) + (bytes[3] ?? 0)
    await a.site.change(uid, (row) => ({ ...row, quotaBytes }))
    await b.site.reload()
    await sweep(b)
    expect(await startsOf(a)).toEqual([0, 2, 4, 6])
    await sweep(a)
    expect(await startsOf(a)).toEqual([4, 6])
    expect([0, 2].map((second) => hasFile(b, second))).toEqual([true, true])
    await removeGarbage(b.site.index, b.site.volumes, signal)
    expect([0, 2].map((second) => hasFile(b, second))).toEqual([false, false])
    expect([4, 6].map((second) => hasFile(a, second))).toEqual([true, true])
  })

  test('those of a removed node are named before they go, and come back with its server', async () => {
    const { a, b, leave, start, beat, dataDir } = await recorded()
    expect(Object.keys(Object(await nodeB(a)))).not.toContain('heldRecordings')
    const [first = { bytes: 0 }, second = { bytes: 0 }] = await rowsOf(a)
    await leave(b)
    await beat()
    expect(await nodeB(a)).toMatchObject({
      heldRecordings: [
        {
          streamId: uid,
          name: uid,
          bytes: first.bytes + second.bytes,
          startTime: new Date(t0).toISOString(),
          endTime: new Date(t0 + 4000).toISOString(),
        },
      ],
    })
    expect((await removeB(a)).status).toBe(200)
    expect(await startsOf(a)).toEqual([4, 6])
    const left = [await rowsOf(a), await a.site.index.totals()] as const
    expect(left[1].map((total) => total.bytes)).toEqual([left[0].reduce((sum, row) => sum + row.bytes, 0)])
    const Named = z.object({ node: z.nullable(z.string()) })
    expect(await a.context.store.all(Named, 'SELECT node FROM volumes WHERE id > 0')).toEqual([{ node: 'a' }])
    expect((await a.ask('GET', '/v1/admin/audit-logs?action=node', { cookie: a.admin })).body).toMatchObject({
      items: [{ action: 'node.remove', target: 'b', outcome: 'ok', node: 'a' }],
    })
    expect((await removeB(a)).status).toBe(404)

    const again = await start('b', { dataDir })
    await again.site.untilRepaired()
    expect(await startsOf(a)).toEqual([0, 2, 4, 6])
  })

  test('a node that was removed while it did not answer has its disks in the index again', async () => {
    const { a, b, wait, beat } = await recorded()
    const known = await rowsOf(a)
    await wait(13_000)
    expect((await removeB(a)).status).toBe(200)
    expect(await startsOf(a)).toEqual([4, 6])
    await beat(2)
    await b.site.volumes.refresh()
    await expect.poll(() => rowsOf(a)).toEqual(known)
    expect(await nodeB(a)).toMatchObject({ available: true })
    expect((await removeB(a)).status).toBe(409)
  })
})
