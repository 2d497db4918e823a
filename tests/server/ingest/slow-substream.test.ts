import { expect, test, vi } from 'vitest'
import { playlistOf } from '../fixtures/playlists.ts'
import { create } from '../fixtures/recordings.ts'
import { segments, serve, startVideo, tsCamera } from '../fixtures/video.ts'

test('a substream that starts slowly delays no picture while the main stream plays', async () => {
  const video = await startVideo()
  const plays = tsCamera({ sound: false })
  const address = await serve((request, response) => {
    // The substream's camera is silent.
    if (request.url === '/main') plays(request, response)
  })
  const pair = { streamSource: `${address}/main`, substreamSource: `${address}/sub` }
  const uid = await create(video, pair.streamSource)
  await segments(video.site, uid, 1)
  // Only now, as its patience with a silent camera ends too.
  const body = { name: 'Door', ...pair }
  expect((await video.ask('PUT', `/v1/stream/${uid}`, { cookie: video.admin, body })).status).toBe(200)
  await expect.poll(() => video.site.supervisor(`${uid}.sub`)?.isStarting()).toBe(true)
  // No timeout ends by the clock.
  const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  try {
    expect((await playlistOf(video, uid, 'rendition=sub')).path).toBe('live.m3u8')
  } finally {
    patience.mockRestore()
  }
})
