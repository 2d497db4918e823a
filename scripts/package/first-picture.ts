import * as HLS from 'hls-parser'
import { spawnSync } from 'node:child_process'
import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'
import { Health } from '../../src/api/contract/health.ts'

const waitMs = 60_000
const pollMs = 50

const Made = z.object({ uid: z.string() })

const requireDecodable = (film: Buffer): void => {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-i', '-', '-f', 'null', '-'], {
    input: film,
    encoding: 'utf8',
  })
  if (status !== 0 || stderr !== '') throw new Error(`The segment can't be decoded: ${stderr}`)
}

/**
 * Creates the first administrator of a new server, adds a stream and waits for a segment that can be decoded. `origin`:
 * of the server. Returns the segment's size and the health warnings.
 */
export const firstPicture = async (origin: string): Promise<{ bytes: number; warnings: unknown[] }> => {
  const call = async (path: string, cookie = '', body?: object): Promise<Response> => {
    const answer = await fetch(new URL(path, origin), {
      headers: { cookie, origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const person = { login: 'admin', password: 'a package on trial', email: 'admin@example.org' }
  const unlocked = await call('/v1/system/unlock', '', person)
  const [cookie = ''] = (unlocked.headers.get('set-cookie') ?? '').split(';')
  const made = await call('/v1/stream', cookie, {
    name: 'Trial',
    streamSource: 'demo:gate',
    archive: { isEnable: true },
  })
  const { uid } = z.parse(Made, await made.json())

  const playlistAt = async (url: string) => HLS.parse(await (await call(url, cookie)).text())
  const live = new URL(`/v1/stream/${uid}/archive/index.m3u8`, origin).href
  /** The URLs of the first segment and its init; undefined without a segment. */
  const firstSegment = async (): Promise<string[] | undefined> => {
    const multivariant = await playlistAt(live).catch(() => undefined)
    if (multivariant?.isMasterPlaylist !== true) return undefined
    const url = new URL(multivariant.variants[0]?.uri ?? '', live).href
    const media = await playlistAt(url)
    const [first] = media.isMasterPlaylist ? [] : media.segments
    return first === undefined ? undefined : [first.map?.uri ?? '', first.uri].map((uri) => new URL(uri, url).href)
  }
  const until = performance.now() + waitMs
  let parts = await firstSegment()
  while (parts === undefined) {
    if (performance.now() > until) throw new Error(`There is no picture after ${waitMs / 1000} s`)
    await after(pollMs)
    parts = await firstSegment()
  }
  const film = Buffer.concat(
    await Promise.all(parts.map(async (part) => Buffer.from(await (await call(part, cookie)).arrayBuffer()))),
  )
  requireDecodable(film)
  const { warnings } = z.parse(Health, await (await call('/v1/system/health', cookie)).json())
  return { bytes: film.length, warnings }
}
