import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { byteRange } from '../../../server/exports/byte-range.ts'
import { addPeople } from '../../../scripts/access-table.ts'
import { patience } from '../../fixtures/patience.ts'
import { requestExport, at, fileOf, untilMade } from '../fixtures/export-file.ts'
import { add, newFolder, open, record } from '../fixtures/tape.ts'

const camera = async () => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 6)
  return video
}
type Video = Awaited<ReturnType<typeof camera>>

const signInAs = async ({ context }: Video, login: string): Promise<string> => {
  const { secret } = await context.sessions.open(login, { userAgent: '', ip: '127.0.0.1' })
  return `session=${secret}`
}

const grant = ({ context }: Video, login: string, canViewArchive: number) =>
  context.store.run(
    `INSERT INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin) VALUES (?, 'door', 1, ?, 0)
     ON CONFLICT (login, uid) DO UPDATE SET can_view_archive = excluded.can_view_archive`,
    login,
    canViewArchive,
  )

test('an impossible export is refused with its field', async () => {
  const video = await camera()
  const details = async (...items: Parameters<typeof requestExport>[1]) => (await requestExport(video, items)).body
  expect(await details()).toMatchObject({ code: 'ValidationError', details: { items: expect.any(String) } })
  expect(await details(['door', 0, 4], ['door', 4, 4])).toMatchObject({
    details: { 'items.1.endTime': 'Not after the start' },
  })
  expect(await details(['door', 1e9, 1e9 + 4])).toMatchObject({ details: { 'items.0.endTime': 'In the future' } })
  expect(await details(['door', 60, 70])).toMatchObject({
    details: { 'items.0.startTime': 'Nothing is recorded in this time' },
  })
  expect(await details(['door', -7200, 4])).toMatchObject({
    code: 'TimeRangeIsTooLong',
    details: { maxSeconds: 3600 },
  })
  expect(await details(...Array.from({ length: 33 }, () => ['door', 0, 4] as const))).toMatchObject({
    code: 'ValidationError',
  })
  expect((await requestExport(video, [['nothing', 0, 4]])).status).toBe(404)
  const { body } = await requestExport(video, [['door', 0, 4]], { more: { note: 'x'.repeat(501) } })
  expect(body).toMatchObject({ details: { note: expect.any(String) } })
  const inZone = async (timezone: string) => (await requestExport(video, [['door', 0, 4]], { more: { timezone } })).body
  for (const timezone of ['Mars/Base', '', '2026-11-21T08:00Z'])
    expect(await inZone(timezone)).toMatchObject({ details: { timezone: 'Unknown time zone' } })
})

test('whoever may view the archive may export it; exports are seen by who requested them and by administrators', async () => {
  const video = await camera()
  await addPeople(video.context)
  const [viewer, other] = [await signInAs(video, 'viewer'), await signInAs(video, 'archive viewer')]
  await grant(video, 'viewer', 0)
  expect((await requestExport(video, [['door', 0, 4]], { cookie: viewer })).status).toBe(403)
  expect((await requestExport(video, [['door', 0, 4]], { cookie: other })).status).toBe(404)
  await grant(video, 'archive viewer', 1)
  const { id } = await requestExport(video, [['door', 0, 4]], { cookie: other })
  await untilMade(video, id)
  const listed = async (cookie: string) => {
    const { body } = await video.ask('GET', '/v1/exports', { cookie })
    return Object(body).items.map((each: { id: string }) => each.id)
  }
  expect([await listed(other), await listed(viewer), await listed(video.admin)]).toEqual([[id], [], [id, 'x']])
  const calls = async (cookie: string) => [
    (await video.ask('GET', `/v1/export/${id}`, { cookie })).status,
    (await fileOf({ app: video.app, admin: cookie }, id)).status,
  ]
  expect([await calls(other), await calls(viewer), await calls(video.admin)]).toEqual([
    [200, 200],
    [404, 404],
    [200, 200],
  ])
  await grant(video, 'archive viewer', 0)
  expect([await calls(other), await listed(other)]).toEqual([[403, 403], []])
  // The recordings are gone; the user who requested the export keeps it.
  await video.site.remove('door', true)
  expect([await calls(other), await listed(other)]).toEqual([[200, 200], [id]])
  const log = await video.context.audit.read({ action: 'export' }, 1)
  const outcomesOf = (action: string) =>
    new Set(log.items.filter((each) => each.action === action).map(({ outcome }) => outcome))
  expect(outcomesOf('export.create')).toEqual(new Set(['ok', 'Forbidden', 'NotFound']))
  expect(outcomesOf('export.download').isSupersetOf(new Set(['Forbidden', 'NotFound']))).toBe(true)
  expect(log.items.find(({ action, outcome }) => action === 'export.create' && outcome === 'ok')).toMatchObject({
    target: id,
    login: 'archive viewer',
    details: { changes: [{ path: 'items.0', to: `door ${at(0)}/${at(4)}` }] },
  })
})

test('whoever may watch the archive without downloading it may not export it, nor get an export from before', async () => {
  const video = await camera()
  await addPeople(video.context)
  const cookie = await signInAs(video, 'archive viewer')
  await grant(video, 'archive viewer', 1)
  const { id } = await requestExport(video, [['door', 0, 4]], { cookie })
  await untilMade(video, id)
  const tried = async () => [
    (await requestExport(video, [['door', 0, 4]], { cookie })).status,
    (await fileOf({ app: video.app, admin: cookie }, id)).status,
    (await video.ask('GET', '/v1/exports', { cookie })).body,
  ]
  await video.context.store.run("UPDATE stream_permissions SET can_download = 0 WHERE uid = 'door'")
  expect(await tried()).toEqual([403, 403, expect.objectContaining({ items: [] })])
  await video.context.store.run("UPDATE stream_permissions SET can_download = 1 WHERE uid = 'door'")
  expect(await tried()).toEqual([200, 200, expect.objectContaining({ items: [expect.anything(), expect.anything()] })])
})

test('an interrupted download is resumed', async () => {
  const video = await camera()
  const { id } = await requestExport(video, [['door', 0, 4]])
  const { sha256, bytes: size } = await untilMade(video, id)
  const whole = await fileOf(video, id)
  const begin = await fileOf(video, id, { range: 'bytes=0-99' })
  const rest = await fileOf(video, id, { range: 'bytes=100-', 'if-range': `"${sha256}"` })
  expect([begin.status, begin.headers['content-range']]).toEqual([206, `bytes 0-99/${size}`])
  expect([rest.status, rest.headers['content-length']]).toEqual([206, String(size - 100)])
  expect(Buffer.concat([begin.bytes, rest.bytes]).equals(whole.bytes)).toBe(true)
  const other = await fileOf(video, id, { range: 'bytes=100-', 'if-range': '"another"' })
  expect([other.status, other.bytes.length]).toEqual([200, size])
  const beyond = await fileOf(video, id, { range: `bytes=${size}-` })
  expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`])
  expect((await fileOf(video, id, { 'if-none-match': `"${sha256}"` })).status).toBe(304)
})

test('of a range header, only one range of bytes counts', () => {
  const asked = ['bytes=0-', 'bytes=5-5', 'bytes=-3', 'bytes=-30', 'bytes=2-99', 'bytes=10-', 'bytes=-0', 'bytes=4-2']
  expect(asked.map((header) => byteRange(header, 10))).toEqual([
    { from: 0, to: 10 },
    { from: 5, to: 6 },
    { from: 7, to: 10 },
    { from: 0, to: 10 },
    { from: 2, to: 10 },
    'none',
    'none',
    undefined,
  ])
  for (const header of [undefined, '', 'bytes=-', 'bytes=0-1,3-4', 'items=0-1', 'bytes=x-'])
    expect(byteRange(header, 10)).toBeUndefined()
})

test('deleting one that is being made stops it, and leaves nothing', async () => {
  const video = await camera()
  const ids = [(await requestExport(video, [['door', 0, 4]])).id, (await requestExport(video, [['door', 0, 4]])).id]
  for (const id of ids) {
    expect((await video.ask('DELETE', `/v1/export/${id}`, { cookie: video.admin })).status).toBe(200)
    expect((await video.ask('GET', `/v1/export/${id}`, { cookie: video.admin })).status).toBe(404)
  }
  expect(readdirSync(join(video.context.dataDir, 'exports'))).toEqual([])
})

test('an export without space or without recordings fails with a reason', async () => {
  const video = await camera()
  video.context.settings.exportsMaxGb = 0
  const full = await requestExport(video, [['door', 0, 4]])
  expect(await untilMade(video, full.id)).toMatchObject({ status: 'failed', failureReason: 'EXPORTS_FULL' })
  expect((await fileOf(video, full.id)).status).toBe(404)
  video.context.settings.exportsMaxGb = -1
  const { read } = video.site
  video.site.read = async () => Promise.reject(new Error('gone'))
  const gone = await requestExport(video, [['door', 0, 4]])
  expect(await untilMade(video, gone.id)).toMatchObject({ status: 'failed', failureReason: 'RECORDINGS_GONE' })
  video.site.read = read
  expect(readdirSync(join(video.context.dataDir, 'exports'))).toEqual([])
})

test('recordings that are deleted while they are exported are named as the reason', async () => {
  const video = await camera()
  const { index } = video.site
  const { pagesWithin } = index
  let reads = 0
  // Found first, then read for the head of the MP4, and again to copy them.
  index.pagesWithin = (...range) => {
    reads += 1
    return reads < 3 ? pagesWithin(...range) : pagesWithin('nothing', 0, 0)
  }
  const { id } = await requestExport(video, [['door', 0, 4]])
  expect(await untilMade(video, id)).toMatchObject({ status: 'failed', failureReason: 'RECORDINGS_GONE' })
  expect(reads).toBe(3)
})

test('recordings of the second of two streams that are deleted while the first one is exported are named, too', async () => {
  const video = await camera()
  await add(video, 'yard')
  await record(video, 0, 6, { of: 'yard' })
  const { index } = video.site
  const { pagesWithin } = index
  let reads = 0
  index.pagesWithin = (...range) => {
    reads += range[0] === 'yard' ? 1 : 0
    return range[0] === 'yard' && reads > 1 ? pagesWithin('nothing', 0, 0) : pagesWithin(...range)
  }
  const { id } = await requestExport(video, [
    ['door', 0, 4],
    ['yard', 0, 4],
  ])
  expect(await untilMade(video, id)).toMatchObject({ status: 'failed', failureReason: 'RECORDINGS_GONE' })
})

test('a restart makes unfinished exports again, and deletes expired exports and files without an export', async () => {
  const folder = newFolder()
  const first = await open(folder)
  await add(first)
  await record(first, 0, 6)
  const [kept, old, half] = [
    (await requestExport(first, [['door', 0, 4]])).id,
    (await requestExport(first, [['door', 0, 4]])).id,
    (await requestExport(first, [['door', 0, 4]])).id,
  ]
  for (const id of [kept, old, half]) await untilMade(first, id)
  await first.context.store.run("UPDATE exports SET status = 'running', bytes = 0 WHERE id = ?", half)
  await first.context.store.run('UPDATE exports SET expires = 1 WHERE id = ?', old)
  // More than a list shows, all newer than those with a file.
  await first.context.store.run(
    `INSERT INTO exports (id, owner, login, note, overlay, status, reason, bytes, sha256, created, expires)
     WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
     SELECT 'failed' || n, NULL, 'gone', '', 0, 'failed', '', 0, '', ?, ? FROM numbers`,
    4e12,
    4e12,
  )
  await first.app.close()
  const second = await open(folder, false)
  expect(await untilMade(second, half)).toMatchObject({ status: 'ready', progress: 1 })
  const status = async (id: string) => (await second.ask('GET', `/v1/export/${id}`, { cookie: second.admin })).status
  expect([await status(kept), await status(old), await status(half)]).toEqual([200, 404, 200])
  const exported = join(folder, 'exports')
  expect(readdirSync(exported).toSorted()).toEqual([`${kept}.zip`, `${half}.zip`].toSorted())
  expect(existsSync(join(exported, `${old}.zip`))).toBe(false)
})

test('an export whose file is lost, as after the return of a backup, is made again', async () => {
  const folder = newFolder()
  const first = await open(folder)
  await add(first)
  await record(first, 0, 6)
  const { id } = await requestExport(first, [['door', 0, 4]])
  await untilMade(first, id)
  await first.app.close()
  rmSync(join(folder, 'exports'), { recursive: true })
  const second = await open(folder, false)
  const status = async () => (await fileOf(second, id)).status
  await vi.waitFor(async () => expect(await status()).toBe(200), { ...patience, interval: 20 })
})
