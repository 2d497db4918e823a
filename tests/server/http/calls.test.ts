import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { addObjects, addPeople } from '../../../scripts/access-table.ts'
import { createOnvifControl } from '../../fixtures/onvif-control.ts'
import { portOf } from '../../../server/start.ts'
import { subOf } from '../../../server/streams/substream.ts'
import { startOnvifCamera } from '../fixtures/onvif-camera.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { segments, serve, startVideo, shortClip } from '../fixtures/video.ts'

/**
 * What every call on streams, their archive and mosaics answers to every role of docs/access.md, from the handlers
 * themselves: a recording stream `s1`, a real server on loopback. docs/access.md has the gate's decision; here is what
 * comes of it.
 */

/** tests/server/access/share-range.test.ts has what it gets. */
const limited = 'share of a range'

const roles = [
  'anonymous',
  'share',
  'other share',
  'read-only',
  'user',
  'viewer',
  'archive watcher',
  'archive viewer',
  'stream admin',
  'owner',
  'administrator',
  'new administrator',
  "administrator's token",
] as const

/** What each kind of right answers, by role in the order above; `ok` is 200. */
const rights = {
  user: ['401', '401', '401', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', '403', 'ok'],
  creator: ['401', '401', '401', '403', 'ok', '403', '403', '403', '403', '403', 'ok', '403', 'ok'],
  administrator: ['401', '401', '401', '403', '403', '403', '403', '403', '403', '403', 'ok', '403', 'ok'],
  view: ['401', 'ok', '404', '404', '404', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', '403', 'ok'],
  archive: ['401', '403', '404', '404', '404', '403', 'ok', 'ok', 'ok', 'ok', 'ok', '403', 'ok'],
  download: ['401', '403', '404', '404', '404', '403', '403', 'ok', 'ok', 'ok', 'ok', '403', 'ok'],
  admin: ['401', '403', '404', '404', '404', '403', '403', '403', 'ok', 'ok', 'ok', '403', 'ok'],
  /** By the body. */
  adminOf: ['401', '401', '401', '404', '404', '403', '403', '403', 'ok', 'ok', 'ok', '403', 'ok'],
  /** Who has the token of a share: no caller here. */
  withToken: ['404', '404', '404', '404', '404', '404', '404', '404', '404', '404', '404', '404', '404'],
  mosaic: ['401', '401', '401', '404', '404', '404', '404', '404', '404', 'ok', 'ok', '403', 'ok'],
} as const

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Call = [method: Method, url: string, right: keyof typeof rights, body?: object]

const door = '/v1/stream/s1'
const range = 'start_time={from}&end_time={to}'
const grant = { login: 'viewer', canView: true, canViewArchive: false, canAdmin: false }
const grants = {
  permissions: [
    grant,
    { ...grant, login: 'archive watcher', canViewArchive: true, canDownload: false },
    { ...grant, login: 'archive viewer', canViewArchive: true },
    { ...grant, login: 'stream admin', canViewArchive: true, canAdmin: true },
  ],
}
const lockedMinute = { startTime: '2026-11-21T08:00:00.000Z', endTime: '2026-11-21T08:01:00.000Z' }
const mosaic = { name: 'Doors', columns: 1, rows: 1, cells: [] }

/** In this order: what ends or removes the stream comes last. {…} is filled in from what was recorded. */
const calls: readonly Call[] = [
  ['GET', '/v1/streams', 'user'],
  ['GET', '/v1/streams?isOnlyAvailable=true', 'user'],
  ['GET', door, 'view'],
  ['GET', `${door}?extend_lease=true`, 'view'],
  ['GET', `${door}/archive/index.m3u8`, 'view'],
  ['GET', `${door}/archive/live.m3u8`, 'view'],
  ['GET', `${door}/archive/live/{segment}.m4s`, 'view'],
  ['GET', `${door}/archive/part/{part}.m4s`, 'view'],
  ['GET', `${door}/archive/init/{run}.mp4`, 'view'],
  ['GET', `${door}/archive/sub/live.m3u8`, 'view'],
  ['GET', `${door}/archive/sub/live/{subSegment}.m4s`, 'view'],
  ['GET', `${door}/archive/sub/part/{subPart}.m4s`, 'view'],
  ['GET', `${door}/archive/sub/init/{subRun}.mp4`, 'view'],
  ['GET', `${door}/archive/sub/recorded.m3u8?${range}`, 'archive'],
  ['GET', `${door}/archive/sub/recorded/{subSegment}.m4s`, 'archive'],
  ['GET', `${door}/archive/compatible/live.m3u8`, 'view'],
  ['GET', `${door}/archive/compatible/live/{segment}.m4s`, 'view'],
  ['GET', `${door}/archive/compatible/init/{run}.mp4`, 'view'],
  ['GET', `${door}/archive/compatible/recorded.m3u8?${range}`, 'archive'],
  ['GET', `${door}/archive/compatible/recorded/{segment}.m4s`, 'archive'],
  ['GET', `${door}/archive/index.m3u8?${range}`, 'archive'],
  ['GET', `${door}/archive/recorded.m3u8?${range}`, 'archive'],
  ['GET', `${door}/archive/recorded/{segment}.m4s`, 'archive'],
  ['GET', `${door}/archive/ranges?${range}`, 'archive'],
  ['GET', `${door}/archive/motion?from={from}&to={to}`, 'archive'],
  ['GET', `${door}/archive/stats`, 'archive'],
  ['GET', `${door}/archive/available-days?${range}`, 'archive'],
  ['GET', `${door}/archive/download?${range}`, 'download'],
  ['GET', `${door}/archive/locks`, 'admin'],
  ['POST', `${door}/archive/locks`, 'admin', { ...lockedMinute, reason: 'Theft' }],
  ['DELETE', `${door}/archive/locks/{lock}`, 'admin'],
  ['POST', `${door}/ptz`, 'admin', { move: { pan: 0.5 } }],
  ['GET', `${door}/ptz/presets`, 'admin'],
  ['POST', `${door}/ptz/presets`, 'admin', { name: 'Gate' }],
  ['DELETE', `${door}/ptz/presets/{preset}`, 'admin'],
  ['GET', '/v1/annotations?streamId=s1&from={from}&to={to}', 'archive'],
  ['POST', '/v1/annotations', 'adminOf', { streamId: 's1', type: 'event', time: '2026-11-21T08:00:00.000Z' }],
  ['GET', `${door}/annotation/{event}/snapshot`, 'archive'],
  ['GET', '/v1/stream/preview?stream_id=s1', 'view'],
  ['GET', '/v1/stream/preview?stream_id=s1&time={moment}', 'archive'],
  ['GET', '/v1/stream/preview?stream_id=s1&unmasked=true', 'admin'],
  ['GET', '/v1/stream/preview?stream_id=s1&url={camera}', 'admin'],
  ['GET', '/v1/stream/preview?url={camera}', 'creator'],
  ['GET', '/v1/stream/probe?stream_id=s1', 'admin'],
  ['GET', '/v1/stream/probe?stream_id=s1&url={camera}', 'admin'],
  ['GET', '/v1/stream/probe?url={camera}', 'creator'],
  ['GET', `${door}/logs`, 'admin'],
  ['GET', `${door}/share`, 'admin'],
  ['GET', `${door}/permissions`, 'admin'],
  ['POST', `${door}/permissions`, 'admin', grants],
  ['GET', `${door}/group-permissions`, 'admin'],
  ['GET', '/v1/user/viewer/permissions', 'administrator'],
  [
    'POST',
    '/v1/user/viewer/permissions',
    'administrator',
    { permissions: [{ uid: 's1', name: '', canView: true, canViewArchive: false, canAdmin: false }] },
  ],
  ['GET', '/v1/mosaics', 'user'],
  ['POST', '/v1/mosaic', 'user', mosaic],
  ['GET', '/v1/mosaic/x', 'mosaic'],
  ['GET', '/v1/mosaic/x?extend_lease=true', 'mosaic'],
  ['POST', '/v1/mosaic/x', 'mosaic', mosaic],
  ['DELETE', '/v1/mosaic/x', 'mosaic'],
  ['GET', '/v1/system/search?query=door', 'user'],
  ['GET', '/v1/system/internal/ui/nodes', 'user'],
  ['POST', '/v1/stream', 'creator', { name: 'New', streamSource: 'demo:yard', live: { onDemand: true } }],
  ['PUT', door, 'admin', { name: 'Door', streamSource: 'demo:gate' }],
  ['PUT', `${door}/masks`, 'admin', { masks: [] }],
  ['PUT', `${door}/share`, 'admin', {}],
  ['POST', `${door}/share/unlock`, 'withToken', { token: 'none', password: 'none' }],
  ['DELETE', `${door}/share`, 'admin'],
  ['POST', '/v1/stream/pause/s1', 'admin'],
  ['POST', '/v1/stream/resume/s1', 'admin'],
  ['DELETE', door, 'admin'],
  ['DELETE', `${door}?purge=true&unlock=true`, 'admin'],
]

/** The calls that must be in the table. */
const isOurs = (url: string): boolean =>
  /^\/v1\/(streams?|annotations|mosaics?|system\/search|system\/internal\/ui\/nodes)($|\/)/.test(url) ||
  /^\/v1\/user\/:login\/permissions$/.test(url)

const patternOf = (url: string): string =>
  url
    .replace(/\?.*/, '')
    .replace(/s1(?=\/|$)/, ':uid')
    .replace(/(mosaic)\/x/, '$1/:id')
    .replace('/user/viewer', '/user/:login')
    .replace(/\{(lock|event)\}/, ':id')
    .replace('{preset}', ':token')
    .replace(/\{(segment|part|run|subSegment|subPart|subRun)\}\.\w+/, ':name')

describe('the table', () => {
  test('has a row for every such call of the server, and none that is not there', () => {
    const documented = readFileSync('docs/access.md', 'utf8').matchAll(/^\| (GET|POST|PUT|PATCH|DELETE) ([^ ?|]+)/gm)
    const routes = [...documented]
      .map(([, method = '', url = '']) => `${method} ${url}`)
      .filter((route) => isOurs(route.split(' ')[1] ?? ''))
    expect([...new Set(calls.map(([method, url]) => `${method} ${patternOf(url)}`))].toSorted()).toEqual(
      [...new Set(routes)].toSorted(),
    )
  })

  test('has the roles of docs/access.md', () => {
    const [, head = ''] = readFileSync('docs/access.md', 'utf8').match(/^\| Call \| (.*) \|$/m) ?? []
    expect(head.split(' | ').filter((role) => role !== limited)).toEqual([...roles])
  })
})

/** Names of the newest segment of a recording, of its first part and of its run. */
const newestOf = async ({ site }: Awaited<ReturnType<typeof startVideo>>, recording: string) => {
  const segment = await site.index.newest(recording)
  const part = site.supervisor(recording)?.live.newest()?.segment.parts[0]
  return { segment: String(segment?.start), part: String(part?.number), run: String(segment?.run) }
}

/** The server of the table: `s1` records the demo gate, and comes back by `openStream` when a call removed it. */
const openTable = async () => {
  // Everybody may watch a transcode at once.
  const limits = { ...builtInValues.limits, transcodesMax: 100 }
  const video = await startVideo({ defaults: { ...builtInValues, limits } })
  const identities = (await addPeople(video.context)).filter(({ name }) => name !== limited)
  const control = createOnvifControl()
  const { address: onvif } = await startOnvifCamera({ control })
  const openStream = async () => {
    control.presets.set('1', 'Gate')
    await addObjects(video.context)
    await video.context.store.run(
      "UPDATE streams SET name = 'Door', source = 'demo:gate', substream_source = 'demo:yard', is_archived = 1, depth_hours = -1, is_paused = 0, onvif = ? WHERE uid = 's1'",
      JSON.stringify({ url: onvif, profile: '' }),
    )
    await video.context.store.run(
      `INSERT INTO archive_locks (id, uid, start, finish, reason, expires, login, created)
       VALUES ('l1', 's1', 0, 1, '', 1, '', 0) ON CONFLICT DO NOTHING`,
    )
    // Together, as what is left of a stream that a call removed is still being deleted.
    await video.context.store.transaction(async () => {
      await video.context.store.run(
        `INSERT INTO annotations (id, uid, type, time) VALUES (1000, 's1', 'event', ?)
         ON CONFLICT (id) DO UPDATE SET time = excluded.time`,
        video.context.now(),
      )
      await video.context.store.run(
        `INSERT INTO annotation_snapshots (annotation, uid, media_type, bytes)
         VALUES (1000, 's1', 'image/png', ?) ON CONFLICT DO NOTHING`,
        new Uint8Array(1),
      )
    })
    return video.site.start()
  }
  const recorded = ['s1', subOf('s1')].map((recording) => segments(video.site, recording, 3))
  await openStream()
  await Promise.all(recorded)
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  const { startTime = 0, endTime = 0 } = (await video.site.index.period('s1')) ?? {}
  const { segment, part, run } = await newestOf(video, 's1')
  const sub = await newestOf(video, subOf('s1'))
  const known: Record<string, string> = {
    lock: 'l1',
    preset: '1',
    event: '1000',
    from: new Date(startTime).toISOString(),
    to: new Date(endTime).toISOString(),
    moment: new Date(startTime + 500).toISOString(),
    segment,
    part,
    run,
    subSegment: sub.segment,
    subPart: sub.part,
    subRun: sub.run,
    camera: encodeURIComponent(`${await serve(shortClip())}/camera.ts`),
  }
  const fill = (template: string) => template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => known[name] ?? name)
  return { identities, openStream, fill, address: `http://127.0.0.1:${portOf(video.app)}` }
}

test('every call answers every role as the table says', async () => {
  const { identities, openStream, fill, address } = await openTable()
  const found: Record<string, string[]> = {}
  for (const [method, template, , body] of calls) {
    const row: string[] = []
    found[`${method} ${template}`] = row
    for (const { headers } of identities) {
      await openStream()
      const response = await fetch(`${address}${fill(template)}`, {
        method,
        headers: {
          origin: address,
          ...(await headers()),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      await response.arrayBuffer()
      row.push(response.status === 200 ? 'ok' : String(response.status))
    }
  }
  expect(found).toEqual(
    Object.fromEntries(calls.map(([method, template, right]) => [`${method} ${template}`, rights[right]])),
  )
})

describe('what the answers hide', () => {
  const source = 'rtsp://ann:secret@192.0.2.7/live'
  const hidden = 'rtsp://***@192.0.2.7/live'
  const seen = {
    share: { streamSource: 'rtsp://192.0.2.7/live', canAdmin: false, canViewArchive: false, isShared: false },
    viewer: { streamSource: hidden, canAdmin: false, canViewArchive: false, isShared: false },
    'archive viewer': { streamSource: hidden, canAdmin: false, canViewArchive: true, isShared: false },
    'stream admin': { streamSource: source, canAdmin: true, canViewArchive: true, isShared: true },
    owner: { streamSource: source, canAdmin: true, canViewArchive: true, isShared: true },
    administrator: { streamSource: source, canAdmin: true, canViewArchive: true, isShared: true },
  }
  const look = (stream: unknown): unknown => {
    const { streamSource, meta } = Object(stream)
    const { canAdmin, canViewArchive, isShared } = Object(meta)
    return { streamSource, canAdmin, canViewArchive, isShared }
  }

  test('a stream shows each role its own: credentials, what it may do, whether it is shared', async () => {
    const video = await startVideo()
    const { ask, context } = video
    const identities = await addPeople(context)
    await context.store.run("UPDATE streams SET name = 'Door', source = ?, needle = 'door' WHERE uid = 's1'", source)
    const cells = JSON.stringify([{ streamUid: 's1', x: 0, y: 0, w: 1, h: 1 }])
    await context.store.run("UPDATE mosaics SET name = 'Door', cells = ?", cells)
    await video.site.start()
    await context.shares.open('s1')
    const asRole = async (role: string, url: string) => {
      const headers = (await identities.find(({ name }) => name === role)?.headers()) ?? {}
      return (await ask('GET', url, { headers })).body
    }
    for (const [role, expected] of Object.entries(seen)) {
      expect([role, look(await asRole(role, door))]).toEqual([role, expected])
      if (role === 'share') continue
      const { items, total } = Object(await asRole(role, '/v1/streams?searchingValues=door'))
      expect([role, total, ...items.map(look)]).toEqual([role, 1, expected])
      const { streams, mosaics } = Object(await asRole(role, '/v1/system/search?query=door'))
      const seesMosaic = role === 'owner' || role === 'administrator'
      expect([role, streams, mosaics]).toEqual([
        role,
        [{ uid: 's1', name: 'Door' }],
        seesMosaic ? [{ id: 'x', name: 'Door' }] : [],
      ])
      expect(Object(await asRole(role, '/v1/mosaics')).items).toHaveLength(seesMosaic ? 1 : 0)
    }
    for (const role of ['owner', 'administrator']) {
      expect(Object(await asRole(role, '/v1/mosaic/x')).streams.map(look)).toEqual([Reflect.get(seen, role)])
    }
    for (const role of ['read-only', 'user']) {
      expect(await asRole(role, '/v1/streams')).toMatchObject({ items: [], total: 0 })
      expect(await asRole(role, '/v1/system/search?query=door')).toEqual({ streams: [], mosaics: [], users: [] })
    }
  })

  test('a mosaic shows its owner only the streams that its owner may still see', async () => {
    const { ask, context, site } = await startVideo()
    const identities = await addPeople(context)
    await site.start()
    const cells = ['s1', 's2'].map((streamUid, x) => ({ streamUid, x, y: 0, w: 1, h: 1 }))
    await context.store.run('UPDATE mosaics SET columns = 2, cells = ?', JSON.stringify(cells))
    const headers = (await identities.find(({ name }) => name === 'owner')?.headers()) ?? {}
    const { body } = await ask('GET', '/v1/mosaic/x', { headers })
    expect([Object(body).cells, Object(body).streams.map((stream: unknown) => Object(stream).uid)]).toEqual([
      cells,
      ['s1'],
    ])
    expect(
      await ask('POST', '/v1/mosaic', {
        headers,
        body: { name: 'x', columns: 1, rows: 1, cells: [{ streamUid: 's2', x: 0, y: 0, w: 1, h: 1 }] },
      }),
    ).toMatchObject({
      status: 400,
      body: { code: 'ValidationError', details: { 'cells.0.streamUid': 'Unknown stream' } },
    })
  })
})
