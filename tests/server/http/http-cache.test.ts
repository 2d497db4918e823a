import * as HLS from 'hls-parser'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { versionOf } from '../../../server/http/http-cache.ts'
import { create } from '../fixtures/recordings.ts'
import { segments, startVideo } from '../fixtures/video.ts'

const drops = '"cache"'

const open = async () => {
  const video = await startVideo()
  const { app, admin, ask } = video
  const uid = await create(video, 'demo:gate')
  await segments(video.site, uid, 2)
  const base = `/v1/stream/${uid}/archive`
  const get = async (url: string, headers: Record<string, string> = {}, cookie = admin) => {
    const reply = await app.inject({ url, headers: { host: 'localhost', cookie, ...headers } })
    return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload }
  }
  const playlist = async (path: string) => HLS.parse((await get(`${base}/${path}`)).bytes.toString())
  const live = await playlist('live.m3u8')
  const newest = await video.site.index.newest(uid)
  if (live.isMasterPlaylist || newest === undefined) throw new Error('no media playlist')
  const [first] = live.segments
  const at = new Date(newest.start).toISOString()
  await ask('POST', `/v1/stream/pause/${uid}`, { cookie: admin })
  const footage = [
    `${base}/${first?.uri}`,
    `${base}/${first?.map?.uri}`,
    `${base}/recorded/${newest.start}.m4s`,
    `/v1/stream/preview?stream_id=${uid}`,
    `/v1/stream/preview?stream_id=${uid}&time=${at}`,
  ]
  return { ...video, get, footage }
}

test('footage is asked about each time it is shown: not sent twice, and to nobody who may not have it', async () => {
  const { get, footage, ask, admin, addUser, signIn } = await open()
  await addUser('eve')
  const eve = await signIn('eve')
  const tags: Record<string, string>[] = []
  for (const url of footage) {
    const { status, headers, bytes } = await get(url)
    expect({ url, status, cache: headers['cache-control'], tag: headers.etag }).toEqual({
      url,
      status: 200,
      cache: 'private, no-cache',
      tag: expect.stringMatching(/^"[\w-]+"$/),
    })
    expect(bytes.length).toBeGreaterThan(100)
    const had = { 'if-none-match': String(headers.etag) }
    for (const form of [had, { 'if-none-match': `"other", W/${had['if-none-match']}` }]) {
      const again = await get(url, form)
      expect({
        url,
        status: again.status,
        length: again.bytes.length,
        cache: again.headers['cache-control'],
        tag: again.headers.etag,
      }).toEqual({
        url,
        status: 304,
        length: 0,
        cache: 'private, no-cache',
        tag: headers.etag,
      })
    }
    expect((await get(url, { 'if-none-match': '"other"' })).status).toBe(200)
    expect({ url, status: (await get(url, had, eve)).status }).toEqual({ url, status: 404 })
    tags.push(had)
  }
  const out = await ask('POST', '/v1/sign-out', { cookie: admin })
  expect({ status: out.status, drops: out.headers['clear-site-data'] }).toEqual({ status: 200, drops })
  for (const [position, url] of footage.entries())
    expect({ url, status: (await get(url, tags[position])).status }).toEqual({ url, status: 401 })
})

test('a picture that is not there is not kept', async () => {
  const { get, footage } = await open()
  const url = footage[4]?.replace(/time=.*/, 'time=2001-01-01T00:00:00.000Z') ?? ''
  const { status, headers } = await get(url, { 'if-none-match': '*' })
  expect({ status, cache: headers['cache-control'], tag: headers.etag }).toEqual({
    status: 204,
    cache: 'no-store',
    tag: undefined,
  })
})

test('who ends the session they are in has what their browser keeps dropped, and no other', async () => {
  const { ask, admin, signIn } = await open()
  const other = await signIn('admin')
  const sessions = async (cookie: string) =>
    z.parse(
      z.object({ items: z.array(z.object({ id: z.string(), isCurrent: z.boolean() })) }),
      (await ask('GET', '/v1/sessions', { cookie })).body,
    ).items
  const end = async (isCurrent: boolean) => {
    const found = (await sessions(admin)).find((one) => one.isCurrent === isCurrent)
    return (await ask('DELETE', `/v1/session/${found?.id}`, { cookie: admin })).headers['clear-site-data']
  }
  expect((await sessions(other)).length).toBe(2)
  expect(await end(false)).toBeUndefined()
  expect(await end(true)).toBe(drops)
})

test('a version is of the bytes, all of them', () => {
  const bytes = Buffer.from('footage')
  const versions = [bytes, Buffer.from('footagf'), Buffer.from('footage '), Buffer.alloc(0)].map(versionOf)
  expect(new Set(versions).size).toBe(4)
  expect(versionOf(Buffer.from('footage'))).toBe(versions[0])
})
