import { once } from 'node:events'
import { copyFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../scripts/free-port.ts'
import { hasPostgres } from '../../../scripts/postgres.ts'
import type { ClusterMember } from '../../../server/cluster/cluster.ts'
import { createConnector } from '../../../server/cluster/connector.ts'
import { createNodeCalls } from '../../../server/cluster/node-calls.ts'
import { createSigning } from '../../../server/cluster/signing.ts'
import { StorageAway } from '../../../server/storage/chunk-storage.ts'
import { segmentsOf, statusOf } from '../fixtures/s3-archive.ts'
import { endPostgres, openNodes, secret, type Node } from '../fixtures/nodes.ts'
import { add, record, t0, uid } from '../fixtures/tape.ts'
import { certified } from '../fixtures/tls.ts'

endPostgres()

/** A node with a recording on its disk, and another one that knows of it. */
const readerOf = async (holder: Node, reader: Node) => {
  await add(holder)
  await record(holder, 0, 4)
  await reader.site.reload()
  await reader.site.volumes.refresh()
  const segment = await reader.site.index.at(uid, t0 + 1000)
  if (segment === undefined) throw new Error('nothing is recorded')
  return { segment, read: () => reader.site.read(uid, segment) }
}

describe.runIf(hasPostgres())('real servers', () => {
  test('let each other read the chunks on their disks, and nobody else', async () => {
    const { startListening, beat } = await openNodes()
    const [a, b] = [await startListening('a'), await startListening('b')]
    await beat()
    const { segment, read } = await readerOf(a, b)
    expect((await read()).toString('latin1', 4, 8)).toBe('moof')
    const [first] = await segmentsOf(b)
    expect(await statusOf(b, first)).toMatchObject({ status: 200, headers: { 'content-type': 'video/mp4' } })

    const { volume, file, offset, bytes } = segment
    const pathOf = (more: object) => {
      const query = Object.entries({ volume, uid, file, offset, bytes, ...more }).map(([name, value]) => [
        name,
        String(value),
      ])
      return `/v1/internal/chunk?${new URLSearchParams(query).toString()}`
    }
    const signing = createSigning(secret, 'b', b.context.now)
    const statusTo = async (path: string, header?: string): Promise<number> =>
      (await fetch(a.url + path, { headers: header === undefined ? {} : { 'x-sightline-call': header } })).status
    const signed = (more: object) => statusTo(pathOf(more), signing.sign({ method: 'GET', path: pathOf(more) }, 'a'))
    expect(await signed({})).toBe(200)
    expect([await signed({ volume: volume + 99 }), await signed({ file: '2026112107/1.mp4' })]).toEqual([404, 404])
    expect([await signed({ uid: '..' }), await signed({ file: '../server.key' })]).toEqual([400, 400])
    expect([await statusTo(pathOf({})), await statusTo(pathOf({}), 'x.y')]).toEqual([404, 421])
    expect(await statusTo(pathOf({}).replace('internal', '%69nternal'))).toBe(404)
    expect(await statusTo(pathOf({}), signing.sign({ method: 'GET', path: pathOf({ volume: 0 }) }, 'a'))).toBe(421)

    await a.app.close()
    await expect(read()).rejects.toBeInstanceOf(StorageAway)
    expect(await statusOf(b, first)).toMatchObject({ status: 503 })
  })

  test('read a chunk on a missing disk once the disk is back', async () => {
    const { startListening, beat } = await openNodes()
    const [a, b] = [await startListening('a'), await startListening('b')]
    await beat()
    const { segment, read } = await readerOf(a, b)
    const [folder] = a.site.volumes.folders()
    if (folder === undefined) throw new Error('no folder')
    renameSync(folder.path, `${folder.path}.off`)
    await expect(read()).rejects.toBeInstanceOf(StorageAway)
    await a.site.volumes.refresh()
    await expect(read()).rejects.toBeInstanceOf(StorageAway)
    renameSync(`${folder.path}.off`, folder.path)
    await a.site.volumes.refresh()
    expect(await read()).toHaveLength(segment.bytes)
  })

  test('do not wait for a chunk that is cut off', async () => {
    const { startListening, beat } = await openNodes()
    const [a, b] = [await startListening('a'), await startListening('b')]
    await beat()
    const { segment, read } = await readerOf(a, b)
    truncateSync(join(a.site.volumes.folder(segment.volume, uid), segment.file), 100)
    await expect(read()).rejects.toThrow(`Node a can't read ${segment.file}`)
  })

  test('finish the download of a file that another node has before they stop', async () => {
    const { startListening, beat } = await openNodes()
    const [a, b] = [await startListening('a'), await startListening('b', { graceMs: 60_000 })]
    await beat()
    // More than what sockets hold.
    const bytes = 64 * 1024 * 1024
    writeFileSync(join(a.context.dataDir, 'exports', 'made.zip'), Buffer.alloc(bytes))
    await a.context.store.run(
      `INSERT INTO exports (id, owner, login, note, overlay, status, reason, bytes, sha256, created, expires, node)
       VALUES ('made', 'admin', 'admin', '', 0, 'ready', '', ${bytes}, 'x', 0, ?, 'a')`,
      a.context.now() + 60_000,
    )
    const file = await fetch(`${b.url}/v1/export/made/file`, { headers: { cookie: b.admin } })
    const closed = b.app.close()
    await expect.poll(async () => (await fetch(`${b.url}/v1/system/health`)).status).toBe(503)
    expect((await file.arrayBuffer()).byteLength).toBe(bytes)
    await closed
  })

  test('call each other by HTTPS with certificates of their own authority', async () => {
    const { startListening, beat } = await openNodes()
    const { tls, ca } = certified()
    const a = await startListening('a', { tls, ca: ca.toString() })
    const b = await startListening('b', { tls, ca: ca.toString() })
    const c = await startListening('c', { tls })
    await beat()
    expect(a.url).toMatch(/^https:/)
    const { segment, read } = await readerOf(a, b)
    expect((await read()).toString('latin1', 4, 8)).toBe('moof')
    // One that doesn't know the authority calls nobody, and says why.
    await c.site.volumes.refresh()
    await expect(c.site.read(uid, segment)).rejects.toBeInstanceOf(StorageAway)
    expect(JSON.stringify(c.context.serverLog.read(undefined))).toContain('another node did not answer a call')
  })
})

test('a renewed certificate of CLUSTER_CA is trusted by the next connection, without a restart', async () => {
  const [node, other] = [certified(), certified('other')]
  const server = createServer({ cert: node.tls.cert, key: node.tls.key }, (_request, reply) => {
    reply.setHeader('connection', 'close').end('answer')
  })
  const port = await freePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const member: ClusterMember = {
    id: 'a',
    name: 'a',
    url: `https://127.0.0.1:${port}`,
    version: '',
    isAvailable: true,
    isLost: false,
    isDrained: false,
    lastBeatAt: 0,
    facts: {},
  }
  const calls = createNodeCalls({ nodes: () => [member] }, createSigning(secret, 'b', Date.now), {
    connect: createConnector({ ca: other.ca.toString(), caFile: other.files.cert }),
    now: Date.now,
    log: { warn: () => undefined },
  })
  onTestFinished(calls.close)
  const ask = () => calls.ask('a', { path: '/' })
  await expect(ask()).rejects.toMatchObject({ status: 503 })
  copyFileSync(node.files.cert, other.files.cert)
  expect((await ask()).body.toString()).toBe('answer')
  truncateSync(other.files.cert)
  expect((await ask()).body.toString()).toBe('answer')
})
