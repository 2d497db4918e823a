import * as HLS from 'hls-parser'
import { expect } from 'vitest'
import type { VideoHarness } from './video.ts'

export const bytesOf = async ({ app, admin }: VideoHarness, url: string): Promise<Buffer> => {
  const reply = await app.inject({ url, headers: { cookie: admin, host: 'localhost' } })
  expect(reply.statusCode, `${url} ${reply.body.slice(0, 200)}`).toBe(200)
  return reply.rawPayload
}

export const archiveOf = (uid: string): string => `/v1/stream/${uid}/archive/`

const absolute = (uri: string, base: string): string => {
  const { pathname, search } = new URL(uri, `http://localhost${base}`)
  return pathname + search
}

/** The media playlist of a stream's multivariant playlist, with absolute URLs of its segments. */
export const playlistOf = async (video: VideoHarness, uid: string, query = '') => {
  const multivariant = HLS.parse((await bytesOf(video, `${archiveOf(uid)}index.m3u8?${query}`)).toString())
  if (!multivariant.isMasterPlaylist) throw new Error('not a multivariant playlist')
  const [variant] = multivariant.variants
  const base = absolute(variant?.uri ?? '', archiveOf(uid))
  const media = HLS.parse((await bytesOf(video, base)).toString())
  if (media.isMasterPlaylist) throw new Error('not a media playlist')
  const segments = media.segments.map((segment): Located => ({
    uri: absolute(segment.uri, base),
    init: absolute(segment.map?.uri ?? '', base),
    start: segment.programDateTime?.getTime() ?? Number.NaN,
    duration: segment.duration,
    isCut: segment.discontinuity === true,
  }))
  return { path: base.slice(archiveOf(uid).length).replace(/\?.*/, ''), variant, segments }
}

type Located = { uri: string; init: string; start: number; duration: number; isCut: boolean }

/** The segments of one run and their init. */
export const partsOf = async (video: VideoHarness, segments: readonly Pick<Located, 'uri' | 'init'>[]) => {
  const init = await bytesOf(video, segments[0]?.init ?? '')
  const parts: Buffer[] = []
  for (const { uri } of segments) parts.push(await bytesOf(video, uri))
  return { init, parts }
}

/** The init and the segments of one run as one file for ffmpeg. */
export const wholeOf = async (
  video: VideoHarness,
  segments: readonly Pick<Located, 'uri' | 'init'>[],
): Promise<Buffer> => {
  const { init, parts } = await partsOf(video, segments)
  return Buffer.concat([init, ...parts])
}

/** The seconds from the start of each segment to the next, by their dates. */
export const stepsOf = (segments: readonly Located[]): number[] =>
  segments.slice(1).map(({ start }, index) => (start - (segments[index]?.start ?? 0)) / 1000)
