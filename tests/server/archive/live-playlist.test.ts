import * as HLS from 'hls-parser'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { create } from '../fixtures/recordings.ts'
import { segments, startVideo, strips, type VideoHarness } from '../fixtures/video.ts'

const liveOf = async ({ app, admin }: VideoHarness, uid: string) => {
  const reply = await app.inject({
    url: `/v1/stream/${uid}/archive/live.m3u8`,
    headers: { cookie: admin, host: 'localhost' },
  })
  expect(reply.headers['cache-control']).toBe('no-store')
  const media = HLS.parse(reply.body)
  if (media.isMasterPlaylist) throw new Error('not a media playlist')
  return media
}

/** Sequence and discontinuity number of each segment, by its address. */
const numbered = (
  media: Awaited<ReturnType<typeof liveOf>>,
): Map<string, [sequence: number, discontinuity: number]> => {
  let discontinuity = media.discontinuitySequenceBase ?? 0
  return new Map(
    media.segments.map((segment, index) => {
      if (segment.discontinuity === true) discontinuity += 1
      return [segment.uri, [(media.mediaSequenceBase ?? 0) + index, discontinuity]]
    }),
  )
}

test('numbers of the live playlist continue after a pause and a restart, and never decrease', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-live-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = await startVideo({ dataDir })
  const uid = await create(first, 'demo:gate')
  await segments(first.site, uid, 3)
  const before = numbered(await liveOf(first, uid))
  expect(before.size).toBeGreaterThan(0)

  await first.ask('POST', `/v1/stream/pause/${uid}`, { cookie: first.admin })
  await first.ask('POST', `/v1/stream/resume/${uid}`, { cookie: first.admin })
  await segments(first.site, uid, 3)
  const resumed = await liveOf(first, uid)
  const after = numbered(resumed)
  expect(resumed.segments.some((segment) => segment.discontinuity)).toBe(true)
  for (const [uri, numbers] of before) expect(after.get(uri)).toEqual(numbers)
  const last = Math.max(...[...after.values()].map(([sequence]) => sequence))
  const lastCut = Math.max(...[...after.values()].map(([, discontinuity]) => discontinuity))
  await first.app.close()

  const second = await startVideo({ dataDir, addsAdmin: false })
  await segments(second.site, uid, 2)
  const restarted = await liveOf(second, uid)
  expect(restarted.mediaSequenceBase).toBeGreaterThan(last)
  expect(restarted.discontinuitySequenceBase).toBeGreaterThan(lastCut)
})

test('the date of a segment is the time that its first picture shows', async () => {
  const video = await startVideo()
  const uid = await create(video, 'demo:yard')
  await segments(video.site, uid, 3)
  const media = await liveOf(video, uid)
  expect(media.segments.length).toBeGreaterThan(0)
  const get = async (uri: string) =>
    (
      await video.app.inject({
        url: `/v1/stream/${uid}/archive/${uri}`,
        headers: { cookie: video.admin, host: 'localhost' },
      })
    ).rawPayload
  for (const segment of media.segments) {
    const film = Buffer.concat([await get(media.segments[0]?.map?.uri ?? ''), await get(segment.uri)])
    const first = Math.round((segment.programDateTime?.getTime() ?? 0) / 40)
    expect(strips(film)).toEqual(Array.from({ length: 25 }, (_, frame) => (first + frame) % 2 ** 32))
  }
})
