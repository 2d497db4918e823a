import * as HLS from 'hls-parser'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { portOf } from '../../server/start.ts'
import { certified, connect2 } from './tls.ts'
import { segments, startVideo } from './video.ts'

/** A stream with three segments on an HTTP/2 server, with functions to read its playlists. */
export const openStream = async (streamSource: string) => {
  const { tls, ca } = certified()
  const video = await startVideo({ tls })
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  const { body } = await video.ask('POST', '/v1/stream', { cookie: video.admin, body: { name: 'x', streamSource } })
  const { uid } = z.parse(z.object({ uid: z.string() }), body)
  await segments(video.site, uid, 4)
  const { call, session } = connect2(portOf(video.app), ca)
  const base = `/v1/stream/${uid}/archive`
  const secure = (cookie: string) => ({ cookie: cookie.replace('session=', '__Host-session=') })
  const get = (path: string, headers: Record<string, string> = secure(video.admin)) => call(`${base}/${path}`, headers)
  const live = async (query = '') => {
    const { status, body: text, headers } = await get(`live.m3u8${query}`)
    expect([status, headers['cache-control']], query).toEqual([200, 'no-store'])
    const media = HLS.parse(text.toString())
    if (media.isMasterPlaylist) throw new Error('not a media playlist')
    return media
  }
  const plain = async () => {
    const { body: text } = await video.ask('GET', `${base}/live.m3u8`, { cookie: video.admin })
    const media = HLS.parse(String(text))
    if (media.isMasterPlaylist) throw new Error('not a media playlist')
    return { media, text: String(text) }
  }
  return { video, uid, base, session, call, secure, get, live, plain }
}

type Live = Awaited<ReturnType<Awaited<ReturnType<typeof openStream>>['live']>>

/** The unfinished segment is the last one, without a URL; a preload hint isn't a part. */
export const newestOf = ({ segments: listed, mediaSequenceBase = 0 }: Live) => {
  const last = listed.at(-1)
  const parts = last?.parts.filter(({ hint }) => !hint) ?? []
  const hint = last?.parts.find((part) => part.hint)?.uri ?? ''
  return { sequence: mediaSequenceBase + listed.length - 1, parts, hint }
}
