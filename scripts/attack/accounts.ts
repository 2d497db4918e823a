import { connect } from 'node:http2'
import { setTimeout as after } from 'node:timers/promises'
import { call, jsonOf, member, type Reply } from './calls.ts'
import { addPerson, addStream, needed, recordedMs, signIn, type Person } from './people.ts'
import { openTarget, certified, untilHolds, type Attack, type Scene } from './scene.ts'
import { callerOf } from './space.ts'

const makeToken = async (by: Person, expireTime: number | null): Promise<string> => {
  const reply = needed(
    await by.ask('POST', '/v1/token', {
      body: { name: 'x', expireTime: expireTime === null ? null : new Date(expireTime).toISOString() },
    }),
  )
  return String(member(jsonOf(reply), 'token'))
}
const bearer = (token: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${token}` },
})

const tokens = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  const user = await addPerson(target, admin, 'tokenmaker')
  const short = await makeToken(user, Date.now() + 3000)
  const made = await call(target.origin(), '/v1/token', {
    method: 'POST',
    body: { name: 'for ever', expireTime: null },
    ...bearer(short),
  })
  const child = String(member(jsonOf(made), 'token') ?? '')
  await after(3500)
  const lives = child !== '' && (await call(target.origin(), '/v1/user', bearer(child))).status === 200
  scene.note(
    'a token of 3 s makes one without end',
    made.status === 200
      ? `it was made and ${lives ? 'outlives the first one' : 'ended with it'}`
      : `answered ${made.status}`,
    made.status >= 400,
  )

  const kept = await makeToken(user, null)
  const other = await signIn(target, user.login, user.password)
  const password = 'another choice of words 3'
  needed(await user.ask('PATCH', '/v1/user', { body: { password, oldPassword: user.password } }))
  const [token, session] = [await call(target.origin(), '/v1/user', bearer(kept)), await other.ask('GET', '/v1/user')]
  scene.note(
    'a token, and another session, after the password changed',
    `the token is answered ${token.status}, the session ${session.status}`,
    token.status === 401 && session.status === 401,
  )

  const again = await signIn(target, user.login, password)
  const last = await makeToken(again, null)
  needed(await admin.ask('POST', `/v1/user/${user.login}/block`))
  scene.note(
    'a token of a user who is blocked',
    `answered ${(await call(target.origin(), '/v1/user', bearer(last))).status}`,
    (await call(target.origin(), '/v1/user', bearer(last))).status === 401,
  )
}

const keptInBrowser = async (scene: Scene): Promise<void> => {
  // Browsers obey Clear-Site-Data only over HTTPS.
  const { target, admin } = await openTarget(scene, { env: certified(scene) })
  const uid = await addStream(admin, 'Gate', 'demo:gate')
  await untilHolds(async () => (await recordedMs(admin, uid, Date.now() - 60_000, Date.now())) > 4000, 60)
  const query = new URLSearchParams({
    start_time: new Date(Date.now() - 60_000).toISOString(),
    end_time: new Date().toISOString(),
  })
  const lines = async (path: string) => (await admin.ask('GET', path)).body.toString().split('\n')
  const segmentsOf = (all: readonly string[]) =>
    all.flatMap((line) => /^(?:\S+\.m4s\S*)$/.exec(line)?.[0] ?? /MAP:URI="([^"]+)"/.exec(line)?.[1] ?? [])
  const base = `/v1/stream/${uid}/archive/`
  const media = [
    ...segmentsOf(await lines(`${base}recorded.m3u8?${query}`)).slice(0, 2),
    ...segmentsOf(await lines(`${base}live.m3u8`)).slice(0, 2),
  ].map((path) => base + path)
  const pictures = [
    `/v1/stream/preview?stream_id=${uid}`,
    `/v1/stream/preview?stream_id=${uid}&time=${new Date(Date.now() - 5000).toISOString()}`,
  ]
  const kept: string[] = []
  const tags: string[] = []
  for (const path of [...media, ...pictures]) {
    const { headers } = await admin.ask('GET', path)
    const control = String(headers['cache-control'] ?? '')
    // If it is cached without revalidation, the next user of the browser sees it.
    if (!/no-store|no-cache|max-age=[0-5]\b/.test(control))
      kept.push(`${path.slice(path.lastIndexOf('/') + 1).split('?')[0]}: ${control}`)
    if (headers.etag !== undefined) tags.push(headers.etag)
  }
  const out = await admin.ask('POST', '/v1/sign-out')
  const cleared = String(out.headers['clear-site-data'] ?? '')
  const [asked = ''] = media
  const revalidated = await call(target.origin(), asked, {
    headers: { 'if-none-match': tags[0] ?? '*', 'if-modified-since': new Date().toUTCString() },
  })
  scene.note(
    `${media.length} segments and ${pictures.length} pictures in a browser’s cache`,
    kept.length === 0 ? 'each is revalidated' : `kept without revalidation: ${kept.join('; ')}`,
    kept.length === 0 && media.length >= 4,
  )
  scene.note(
    'signing out',
    `Clear-Site-Data: ${cleared === '' ? 'none' : cleared}; a segment then asked for with what was cached: ` +
      `${revalidated.status}`,
    cleared.includes('"cache"') && revalidated.status === 401,
  )
}

/** Over HTTP/2 a path may be longer than all headers together may be over HTTP/1.1. */
const manyValues = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene, { env: certified(scene) })
  await addStream(admin, 'Gate', 'demo:gate')
  const session = connect(target.origin(), { rejectUnauthorized: false, settings: { maxHeaderListSize: 1e6 } })
  session.on('error', () => undefined)
  scene.defer(() => session.destroy())
  const asked = (count: number): Promise<number> =>
    new Promise((resolve) => {
      const values = Array.from({ length: count }, (_, index) => `searchingValues=${index % 10}`)
      const path = `/v1/streams?${values.join('&')}`
      const stream = session.request({ ':path': path, ...admin.proof() })
      stream.on('response', (headers) => resolve(Number(headers[':status'])))
      stream.on('error', () => resolve(0))
      stream.resume()
    })
  const statuses = [await asked(20), await asked(900), await asked(1100), await asked(2500)]
  scene.note(
    '20, 900, 1,100 and 2,500 searchingValues over HTTP/2',
    `answered ${statuses.join(', ')} (0: the stream was refused)`,
    statuses.every((status) => status < 500),
  )
}

const shareViewers = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  const uid = await addStream(admin, 'Gate', 'demo:gate')
  await untilHolds(async () => (await recordedMs(admin, uid, Date.now() - 60_000, Date.now())) > 3000, 60)
  const token = String(member(jsonOf(needed(await admin.ask('GET', `/v1/stream/${uid}/share`))), 'token'))
  const calls: Promise<Reply>[] = []
  for (let index = 0; index < 400; index += 1)
    calls.push(
      call(target.origin(), `/v1/stream/${uid}/archive/live.m3u8`, {
        headers: { 'share-token': token, 'user-agent': `viewer ${index}` },
        from: callerOf(scene.space, 3),
      }),
    )
  await Promise.all(calls)
  const viewers = Number(member(jsonOf(await admin.ask('GET', `/v1/stream/${uid}`)), 'viewers') ?? 0)
  scene.note('one visitor of a share with 400 names of browsers', `counts as ${viewers} viewers`, viewers <= 5)
}

const awayPicture = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  const uid = await addStream(admin, 'Gate', 'demo:gate')
  await untilHolds(async () => (await recordedMs(admin, uid, Date.now() - 60_000, Date.now())) > 4000, 60)
  const viewer = await addPerson(target, admin, 'onlylive')
  needed(
    await admin.ask('POST', `/v1/stream/${uid}/permissions`, {
      body: { permissions: [{ login: 'onlylive', canView: true, canViewArchive: false, canAdmin: false }] },
    }),
  )
  // After a restart no live segments are in memory.
  needed(await admin.ask('POST', `/v1/stream/pause/${uid}`))
  await target.stop()
  await target.start()
  const again = await signIn(target, viewer.login, viewer.password)
  const { status, body } = await again.ask('GET', `/v1/stream/preview?stream_id=${uid}`)
  scene.note(
    'the picture of a camera that is away, for a right to live alone',
    `answered ${status}, ${body.length} bytes`,
    body.length === 0 || status >= 400,
  )
}

export const accountAttacks: readonly Attack[] = [
  { name: 'accounts: tokens', run: tokens },
  { name: 'accounts: what stays in a browser', run: keptInBrowser },
  { name: 'accounts: many searching values', run: manyValues },
  { name: 'accounts: viewers of a share', run: shareViewers },
  { name: 'accounts: a right to live alone', run: awayPicture },
]
