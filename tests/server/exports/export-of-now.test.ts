import { expect, test, vi } from 'vitest'
import type { Supervisor } from '../../../server/streams/supervisor.ts'
import { at, fileOf, requestExport, untilMade, verified } from '../fixtures/export-file.ts'
import { passMonotonic } from '../fixtures/monotonic.ts'
import { add, newFolder, record, t0, uid } from '../fixtures/tape.ts'
import { startVideo } from '../fixtures/video.ts'

/** A camera that records since t0, for 12 seconds by now; the last two are a segment that still grows. */
const liveCamera = async () => {
  const video = await startVideo({ dataDir: newFolder(), now: () => t0 + 12_000 })
  await add(video)
  await record(video, 0, 10)
  const supervisor = video.site.supervisor(uid)
  if (supervisor === undefined) throw new Error('no supervisor')
  const isLive = vi.fn<Supervisor['isLive']>(() => true)
  video.site.supervisor = () => ({ ...supervisor, isLive })
  return { video, isLive }
}

type Camera = Awaited<ReturnType<typeof liveCamera>>

const itemsIn = async ({ video }: Camera, id: string) => {
  await untilMade(video, id)
  const { manifest } = await verified((await fileOf(video, id)).bytes)
  return manifest?.items.map(({ startTime, endTime, gaps }) => ({ startTime, endTime, gaps }))
}

test('an export that ends now waits for the segment that still grows', async () => {
  const camera = await liveCamera()
  const { id } = await requestExport(camera.video, [[uid, 0, 12]])
  await expect.poll(() => camera.isLive.mock.calls.length).toBeGreaterThan(2)
  await record(camera.video, 10, 12)
  expect(await itemsIn(camera, id)).toEqual([{ startTime: t0, endTime: t0 + 12_000, gaps: [] }])
})

test('an export within the segment that still grows is made of it', async () => {
  const camera = await liveCamera()
  const { id, status } = await requestExport(camera.video, [[uid, 10.2, 12]])
  expect(status).toBe(200)
  await record(camera.video, 10, 12)
  expect(await itemsIn(camera, id)).toEqual([{ startTime: t0 + 10_200, endTime: t0 + 12_000, gaps: [] }])
})

test('an export no longer waits for a camera that has failed', async () => {
  const camera = await liveCamera()
  const { id } = await requestExport(camera.video, [[uid, 0, 12]])
  await expect.poll(() => camera.isLive.mock.calls.length).toBeGreaterThan(1)
  camera.isLive.mockReturnValue(false)
  const gap = { startTime: t0 + 10_000, endTime: t0 + 12_000 }
  expect(await itemsIn(camera, id)).toEqual([{ startTime: t0, endTime: t0 + 12_000, gaps: [gap] }])
})

test('an export no longer waits if the index fails', async () => {
  const camera = await liveCamera()
  const { id } = await requestExport(camera.video, [[uid, 0, 12]])
  vi.spyOn(camera.video.site.index, 'newest').mockRejectedValue(new Error('database disk image is malformed'))
  const gap = { startTime: t0 + 10_000, endTime: t0 + 12_000 }
  expect(await itemsIn(camera, id)).toEqual([{ startTime: t0, endTime: t0 + 12_000, gaps: [gap] }])
})

test('an export waits no longer than a segment may take, also while the clock stands still', async () => {
  const camera = await liveCamera()
  const { id } = await requestExport(camera.video, [[uid, 0, 12]])
  await expect.poll(() => camera.isLive.mock.calls.length).toBeGreaterThan(1)
  passMonotonic(80_000)
  const gap = { startTime: t0 + 10_000, endTime: t0 + 12_000 }
  expect(await itemsIn(camera, id)).toEqual([{ startTime: t0, endTime: t0 + 12_000, gaps: [gap] }])
})

test('an export that waits for the segment that still grows can be deleted', async () => {
  const { video, isLive } = await liveCamera()
  const { id } = await requestExport(video, [[uid, 0, 12]])
  await expect.poll(() => isLive.mock.calls.length).toBeGreaterThan(1)
  expect((await video.ask('DELETE', `/v1/export/${id}`, { cookie: video.admin })).status).toBe(200)
  expect((await video.ask('GET', `/v1/export/${id}`, { cookie: video.admin })).status).toBe(404)
})

test('an end in the future is cut to now, and the export says so', async () => {
  const { video, isLive } = await liveCamera()
  isLive.mockReturnValue(false)
  const { id } = await requestExport(video, [[uid, 0, 7200]])
  expect(await untilMade(video, id)).toMatchObject({ status: 'ready', items: [{ startTime: at(0), endTime: at(12) }] })
  expect((await requestExport(video, [[uid, 60, 70]])).body).toMatchObject({
    details: { 'items.0.endTime': 'In the future' },
  })
})
