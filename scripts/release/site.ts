import * as HLS from 'hls-parser'
import { hash } from 'node:crypto'
import * as z from 'zod/mini'

type Ask = { body?: object; cookie?: string; token?: string; method?: string; isOptional?: boolean }
export type Call = (path: string, ask?: Ask) => Promise<Response>

/** Calls of a server. One that is optional may be unknown to an old server. */
export const callsOf =
  (origin: string): Call =>
  async (path, { body, cookie, token, method, isOptional = false } = {}) => {
    const answer = await fetch(new URL(path, origin), {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        origin,
        ...(cookie === undefined ? {} : { cookie }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok && !isOptional) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }

const cookieOf = (answer: Response): string => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

export const Known = z.object({
  admin: z.object({ login: z.string(), password: z.string() }),
  user: z.object({ login: z.string(), password: z.string() }),
  cookie: z.string(),
  userToken: z.string(),
  shareToken: z.string(),
  uid: z.string(),
  secretUid: z.string(),
  secretSource: z.string(),
  title: z.string(),
  mosaic: z.string(),
  bookmark: z.string(),
  range: z.object({ start: z.string(), end: z.string() }),
  segments: z.array(z.object({ start: z.string(), duration: z.number(), sha256: z.string() })),
  audit: z.array(z.object({ action: z.string(), login: z.string() })),
  /** What optional calls answered: the names of alerts, groups and locks. */
  optional: z.record(z.string(), z.array(z.string())),
})
export type Known = z.output<typeof Known>
type Site = Omit<Known, 'range' | 'segments' | 'audit' | 'optional'>

const admin = { login: 'admin', password: 'a site before the upgrade' }
const user = { login: 'bob', password: 'watches what he may see' }
const initialPassword = 'only for the first sign-in'

const Uid = z.object({ uid: z.string() })
const Token = z.object({ token: z.string() })
const Id = z.object({ id: z.string() })
const Values = z.object({ values: z.looseObject({ application: z.looseObject({}) }) })

export const signIn = async (call: Call, { login, password }: Known['admin']): Promise<string> =>
  cookieOf(await call('/v1/sign-in', { body: { name: login, password } }))

/** Calls that only newer servers know. */
const addOptional = async (call: Call, cookie: string, uid: string): Promise<void> => {
  const optional = (path: string, body: object) => call(path, { body, cookie, isOptional: true })
  const [startTime, endTime] = [Date.now() - 3_600_000, Date.now() - 1_800_000].map((at) => new Date(at).toISOString())
  await optional('/v1/annotations', { streamId: uid, type: 'motion', time: startTime })
  await optional(`/v1/stream/${uid}/archive/locks`, { startTime, endTime, reason: 'evidence' })
  const to = [{ kind: 'webhook', address: 'https://alerts.example.org/hook' }]
  await optional('/v1/alerts', { name: 'Lost', on: ['stream.failed'], quietMinutes: 5, to })
  await optional('/v1/groups', { kind: 'users', name: 'Guards', members: [user.login] })
  await optional('/v1/groups', { kind: 'streams', name: 'Doors', members: [uid] })
}

/** Creates a site: two users, two streams, rights, a token, a share, a mosaic, a bookmark and a changed setting. */
export const fillSite = async (call: Call, streamSource: string): Promise<Site> => {
  const cookie = cookieOf(await call('/v1/system/unlock', { body: { ...admin, email: 'admin@example.org' } }))
  const add = async (body: object) => z.parse(Uid, await (await call('/v1/stream', { body, cookie })).json()).uid
  const uid = await add({ name: 'Door', streamSource, tags: ['gate'], archive: { isEnable: true } })
  const secretSource = 'rtsp://ann:p%40ss@192.0.2.7/live'
  const secretUid = await add({ name: 'Yard', streamSource: secretSource, live: { onDemand: true } })
  const { login } = user
  const mail = { email: 'bob@example.org', fullName: 'Bob', language: 'en' }
  await call('/v1/user', {
    body: { name: login, password: initialPassword, ...mail, permissionType: 'user', maxStreamCreation: 0 },
    cookie,
  })
  const first = await signIn(call, { login, password: initialPassword })
  const passwords = { password: user.password, oldPassword: initialPassword }
  await call('/v1/user', { method: 'PATCH', body: passwords, cookie: first })
  const permissions = [{ login, canView: true, canViewArchive: true, canAdmin: false }]
  await call(`/v1/stream/${uid}/permissions`, { body: { permissions }, cookie })
  const userCookie = await signIn(call, user)
  const made = await call('/v1/token', { body: { name: 'script', expireTime: null }, cookie: userCookie })
  const { token: userToken } = z.parse(Token, await made.json())
  const { token: shareToken } = z.parse(Token, await (await call(`/v1/stream/${uid}/share`, { cookie })).json())
  const cells = [{ x: 0, y: 0, w: 1, h: 1, streamId: uid }]
  const mosaicBody = { name: 'Entrance', columns: 1, rows: 1, cells }
  const { id: mosaic } = z.parse(Id, await (await call('/v1/mosaic', { body: mosaicBody, cookie })).json())
  const note = { streamId: uid, time: new Date().toISOString(), note: 'A parcel' }
  await call('/v1/bookmarks', { body: note, cookie })
  const { values } = z.parse(Values, await (await call('/v1/admin/configuration', { cookie })).json())
  const title = 'North gate'
  const changed = { values: { ...values, application: { ...values.application, title } } }
  await call('/v1/admin/configuration', { method: 'PUT', body: changed, cookie })
  await addOptional(call, cookie, uid)
  const known = { userToken, shareToken, uid, secretUid, secretSource, title, mosaic, bookmark: note.note }
  return { admin, user, cookie, ...known }
}

const Period = z.object({ period: z.nullable(z.object({ startTime: z.string(), endTime: z.string() })) })

const periodOf = async (call: Call, { uid, cookie }: Site) =>
  z.parse(Period, await (await call(`/v1/stream/${uid}/archive/stats`, { cookie })).json()).period

export const recordedSeconds = async (call: Call, site: Site): Promise<number> => {
  const period = await periodOf(call, site)
  return period === null ? 0 : (Date.parse(period.endTime) - Date.parse(period.startTime)) / 1000
}

/** The segments of a range, as a player gets them. */
export const segmentsOf = async (call: Call, uid: string, { start, end }: Known['range'], cookie: string) => {
  const query = new URLSearchParams({ start_time: start, end_time: end })
  const playlistAt = async (path: string) => HLS.parse(await (await call(path, { cookie })).text())
  const base = `/v1/stream/${uid}/archive/`
  const pathOf = (uri: string, from: string) => new URL(uri, new URL(from, 'http://localhost')).href.slice(16)
  const head = `${base}index.m3u8?${query}`
  const multivariant = await playlistAt(head)
  const path = multivariant.isMasterPlaylist ? pathOf(multivariant.variants[0]?.uri ?? '', head) : head
  const media = multivariant.isMasterPlaylist ? await playlistAt(path) : multivariant
  if (media.isMasterPlaylist) throw new Error('A variant is a media playlist')
  const segments: Known['segments'] = []
  for (const { uri, duration, programDateTime } of media.segments) {
    const bytes = Buffer.from(await (await call(pathOf(uri, path), { cookie })).arrayBuffer())
    segments.push({ start: programDateTime?.toISOString() ?? '', duration, sha256: hash('sha256', bytes) })
  }
  return segments
}

const Named = z.object({ items: z.array(z.looseObject({})) })

/** The names of what optional calls list; empty for those that the server doesn't know. */
export const optionalOf = async (call: Call, cookie: string, uid: string): Promise<Known['optional']> => {
  const names = async (path: string, key: string): Promise<string[]> => {
    const answer = await call(path, { cookie, isOptional: true })
    if (!answer.ok) return []
    return z
      .parse(Named, await answer.json())
      .items.map((item) => String(item[key]))
      .toSorted()
  }
  const day = 86_400_000
  const range = new URLSearchParams({ from: new Date(0).toISOString(), to: new Date(Date.now() + day).toISOString() })
  return {
    locks: await names(`/v1/stream/${uid}/archive/locks`, 'reason'),
    alerts: await names('/v1/alerts', 'name'),
    groups: await names('/v1/groups', 'name'),
    events: await names(`/v1/events/search?${range}`, 'type'),
  }
}

const AuditPage = z.object({ items: z.array(z.object({ action: z.string(), login: z.string() })) })

/** What a server knows of the site, before it stops. */
export const lookAround = async (call: Call, site: Site): Promise<Known> => {
  const { cookie, uid } = site
  const period = await periodOf(call, site)
  if (period === null) throw new Error('Nothing is recorded')
  const range = { start: period.startTime, end: period.endTime }
  const segments = await segmentsOf(call, uid, range, cookie)
  const { items } = z.parse(AuditPage, await (await call('/v1/admin/audit-logs', { cookie })).json())
  return { ...site, range, segments, audit: items, optional: await optionalOf(call, cookie, uid) }
}
