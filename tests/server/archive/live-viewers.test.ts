import { expect, test, vi } from 'vitest'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { createLiveFeed } from '../../../server/archive/recorder/live-feed.ts'
import { init, row } from '../fixtures/paused-stream.ts'
import { startVideo } from '../fixtures/video.ts'

const viewers = 100
const t0 = Date.parse('2026-11-21T08:00:00.000Z')
const partBytes = 300
const segment = (second: number) => ({
  start: t0 + second * 1000,
  finish: t0 + (second + 1) * 1000,
  duration: 1,
  mediaStart: second,
  run: 1,
  volume: 0,
  file: `${t0}.spool`,
  offset: second * 2 * partBytes,
  bytes: 2 * partBytes,
})

test('a hundred viewers of a live stream cost one read of each part and each segment', async () => {
  const video = await startVideo()
  await video.site.add({ ...row, uid: 'door', name: 'Door', source: 'rtsp://192.0.2.1/x' })
  const live = video.site.supervisor('door')?.live
  if (live === undefined) throw new Error('no live')
  const reads: string[] = []
  const noted = (read: string, bytes: number): Buffer => {
    reads.push(read)
    return Buffer.alloc(bytes, read)
  }
  vi.spyOn(video.site, 'read').mockImplementation(async (_uid, { offset, bytes }) => noted(`disk ${offset}`, bytes))
  const feed = createLiveFeed({
    live,
    read: async (_start, part) => noted(`recorder ${part ?? 'all'}`, part === undefined ? 2 * partBytes : partBytes),
  })
  const begin = (second: number): void => {
    const { start } = segment(second)
    const part = { duration: 0.5, isIndependent: true, bytes: partBytes }
    feed({ kind: 'begun', start, run: 1 })
    for (const index of [0, 1])
      feed({
        kind: 'part',
        start,
        part: { ...part, number: 2 * second + index, offset: index * partBytes },
        arrivedAt: 0,
      })
    feed({ kind: 'whole', start })
  }
  const write = (second: number): void =>
    feed({
      kind: 'segment',
      segment: segment(second),
      sequence: second,
      discontinuity: 0,
      targetDuration: 1,
      arrivedAt: 0,
      isKept: true,
    })
  const watch = async (path: string): Promise<[bodies: number, ...reads: string[]]> => {
    const url = `/v1/stream/door/archive/${path}.m4s`
    const get = () => video.app.inject({ url, headers: { cookie: video.admin, host: 'localhost' } })
    const replies = await Promise.all(Array.from({ length: viewers }, get))
    replies.push(await get())
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 200))
    return [new Set(replies.map(({ rawPayload }) => rawPayload.toString())).size, ...reads.splice(0)]
  }

  feed({ kind: 'run', run: runOf(1, newRunKey(), init) })
  begin(0)
  expect(await watch('part/0')).toEqual([1, 'recorder 0'])
  expect(await watch('part/1')).toEqual([1, 'recorder 1'])
  expect(await watch(`live/${t0}`)).toEqual([1, 'recorder all'])
  write(0)
  expect(await watch(`live/${t0}`)).toEqual([1])
  begin(1)
  write(1)
  expect(await watch('part/2')).toEqual([1, `disk ${2 * partBytes}`])
  expect(await watch('part/3')).toEqual([1, `disk ${3 * partBytes}`])
  expect(await watch(`live/${t0 + 1000}`)).toEqual([1, `disk ${2 * partBytes}`])
})
