import { expect } from 'vitest'
import * as z from 'zod/mini'
import { layFiles, readReleases, type Release } from '../../scripts/release/fixture.ts'
import { optionalOf, segmentsOf, signIn, type Call } from '../../scripts/release/site.ts'
import type { ServerOptions } from '../../server/app.ts'
import type { App } from '../../server/http/fastify.ts'
import { newFolder } from './tape.ts'
import { startVideo, type VideoHarness } from './video.ts'

export const releases = readReleases()

/** Lays the data folder of a release, and returns its path. */
export const layRelease = (release: Release): string => {
  const dataDir = newFolder()
  layFiles(release, dataDir)
  return dataDir
}

/** Starts this version with the data of a release, a minute after that stopped. */
export const startAfter = ({ known }: Release, options: Partial<ServerOptions>): Promise<VideoHarness> => {
  const at = Date.parse(known.range.end) + 60_000
  return startVideo({ addsAdmin: false, signsIn: false, now: () => at, ...options })
}

const callIn =
  (app: App): Call =>
  async (path, { body, cookie, token, method, isOptional = false } = {}) => {
    const reply = await app.inject({
      method:
        method === 'PUT' || method === 'PATCH' || method === 'DELETE' ? method : body === undefined ? 'GET' : 'POST',
      url: path,
      headers: {
        host: 'localhost',
        origin: 'http://localhost',
        ...(cookie === undefined ? {} : { cookie }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { payload: body }),
    })
    if (reply.statusCode >= 300 && !isOptional) throw new Error(`${path}: ${reply.statusCode} ${reply.body}`)
    return new Response(new Uint8Array(reply.rawPayload), {
      status: reply.statusCode,
      headers: { 'set-cookie': String(reply.headers['set-cookie'] ?? '') },
    })
  }

const Page = z.object({ items: z.array(z.looseObject({})) })
const Audit = z.object({ items: z.array(z.object({ action: z.string(), login: z.string() })) })
const Settings = z.object({ appTitle: z.string() })

/** Compares what a server answers with what that of the release knew. */
export const expectKnown = async ({ app, site }: VideoHarness, { known }: Release): Promise<void> => {
  const call = callIn(app)
  const json = async (path: string, ask: Parameters<Call>[1]): Promise<unknown> => (await call(path, ask)).json()
  const { admin, user, cookie, uid } = known
  const audit = z.parse(Audit, await json('/v1/admin/audit-logs', { cookie })).items
  // Those who look add entries.
  const isKept = ({ action }: { action: string }) => action !== 'audit.read' && action !== 'session.sign-in'
  const kept = known.audit.filter(isKept)
  expect(audit.filter(isKept).slice(-kept.length)).toEqual(kept)
  expect(await Promise.all([admin, user].map((who) => signIn(call, who)))).toEqual([
    expect.stringContaining('='),
    expect.stringContaining('='),
  ])
  const seen = z.parse(Page, await json('/v1/streams', { token: known.userToken })).items
  expect(seen.map((stream) => stream['uid'])).toEqual([uid])
  expect(z.parse(Settings, await json('/v1/system/internal/ui/settings', { cookie })).appTitle).toBe(known.title)
  const shared = await app.inject({
    url: `/v1/stream/${uid}`,
    headers: { host: 'localhost', 'share-token': known.shareToken },
  })
  expect(shared.statusCode).toBe(200)
  expect(site.store.find(known.secretUid)?.source).toBe(known.secretSource)
  expect(await json(`/v1/mosaic/${known.mosaic}`, { cookie })).toMatchObject({ name: 'Entrance' })
  expect(await json('/v1/bookmarks', { cookie })).toMatchObject({ items: [{ note: known.bookmark, streamId: uid }] })
  expect(await segmentsOf(call, uid, known.range, cookie)).toEqual(known.segments)
  const optional = await optionalOf(call, cookie, uid)
  expect({
    ...optional,
    events: optional['events']?.filter((type) => known.optional['events']?.includes(type)),
  }).toEqual(known.optional)
}
