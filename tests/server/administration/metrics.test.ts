import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { watchHandIn } from '../../../server/archive/index/hand-in-health.ts'
import { addressListOf } from '../../../server/http/address-list.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import { createSlots } from '../../../server/media/slots.ts'
import type { Site } from '../../../server/streams/site.ts'
import { startServer } from '../fixtures/harness.ts'

const url = '/v1/system/metrics'

const open = async (allowed = '') => {
  let started: Promise<void> | undefined
  const found: Site[] = []
  const onStart = (starting: Promise<void>): void => {
    started = starting
  }
  const harness = await startServer({
    metricsAllow: addressListOf(allowed),
    plugins: [createStreamsPlugin({ onStart, onSite: (site) => found.push(site) })],
  })
  await harness.addUser('ann', true)
  await harness.addUser('bob')
  await started
  const [site] = found
  if (site === undefined) throw new Error('no site')
  return { ...harness, site }
}

/** Names of series with their labels, and their values. */
const seriesOf = (body: unknown): Map<string, number> =>
  new Map(
    String(body)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))]
      }),
  )

test('administrators read metrics, by a token too, and nobody else does', async () => {
  const { ask, signIn, context } = await open()
  const { token } = await context.tokens.create('ann', 'monitoring', null)
  const { token: other } = await context.tokens.create('bob', 'curious', null)
  const cookie = await signIn('ann')
  const answers = [
    await ask('GET', url, { cookie }),
    await ask('GET', url, { headers: { authorization: `Bearer ${token}` } }),
    await ask('GET', url, { headers: { authorization: `Bearer ${other}` } }),
    await ask('GET', url),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 401])
})

test('addresses in METRICS_ALLOW need no token, unless a proxy that is not known passes it on', async () => {
  const { ask } = await open('198.51.100.0/24, 2001:db8::7')
  const statusOf = async (ip: string, headers: Record<string, string> = {}) =>
    (await ask('GET', url, { ip, headers })).status
  expect(await statusOf('198.51.100.9')).toBe(200)
  expect(await statusOf('::ffff:198.51.100.9')).toBe(200)
  expect(await statusOf('2001:db8::7')).toBe(200)
  expect(await statusOf('2001:db8::8')).toBe(401)
  expect(await statusOf('192.0.2.1')).toBe(401)
  expect(await statusOf('198.51.100.9', { 'x-forwarded-for': '192.0.2.1' })).toBe(401)
  expect(await statusOf('198.51.100.9', { forwarded: 'for=192.0.2.1' })).toBe(401)
  expect((await ask('GET', '/v1/system/logs', { ip: '198.51.100.9' })).status).toBe(401)
})

test('addresses of this machine read none while a tunnel is open, as its visitors come from there', async () => {
  const { ask, context } = await open('127.0.0.0/8, ::1, 198.51.100.9')
  const { token } = await context.tokens.create('ann', 'monitoring', null)
  let isOpen = false
  context.hosts.addTunnel({ names: () => [], isOpen: () => isOpen })
  const statuses = async () => {
    const answers = ['127.0.0.1', '::ffff:127.0.0.1', '::1', '198.51.100.9'].map((ip) => ask('GET', url, { ip }))
    const byToken = ask('GET', url, { ip: '127.0.0.1', headers: { authorization: `Bearer ${token}` } })
    return (await Promise.all([...answers, byToken])).map(({ status }) => status)
  }
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
  isOpen = true
  expect(await statuses()).toEqual([401, 401, 401, 200, 200])
  isOpen = false
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
})

test('a visitor of a known proxy has an address of its own', async () => {
  const { ask, addUser } = await startServer({ trustProxy: '10.0.0.1', metricsAllow: addressListOf('192.0.2.1') })
  const statusOf = async (visitor: string) =>
    (await ask('GET', url, { ip: '10.0.0.1', headers: { 'x-forwarded-for': visitor } })).status
  // Before the first administrator, like other calls.
  expect(await statusOf('192.0.2.1')).toBe(423)
  await addUser('ann', true)
  expect([await statusOf('192.0.2.1'), await statusOf('192.0.2.2')]).toEqual([200, 401])
})

test.each(['example.org', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1'])(
  '%s is not an address or a network',
  (text) => {
    expect(() => addressListOf(text)).toThrow(`"${text}" is not an address or a network like 10.0.0.0/8`)
  },
)

test('it answers OpenMetrics, and text to readers of the older format', async () => {
  const { ask, signIn } = await open()
  const cookie = await signIn('ann')
  const [newer, older] = [
    await ask('GET', url, { cookie, headers: { accept: 'application/openmetrics-text;version=1.0.0,*/*;q=0.1' } }),
    await ask('GET', url, { cookie }),
  ]
  expect([newer, older].map(({ headers }) => headers['content-type'])).toEqual([
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  expect(String(newer.body).endsWith('\n# EOF\n')).toBe(true)
  const types = String(newer.body)
    .split('\n')
    .filter((line) => line.startsWith('# TYPE '))
    .map((line) => line.slice('# TYPE '.length))
  expect(types.toSorted()).toEqual([
    'process_cpu_seconds counter',
    'process_resident_memory_bytes gauge',
    'process_start_time_seconds gauge',
    'sightline_archive_bytes gauge',
    'sightline_archive_days gauge',
    'sightline_archive_free_bytes gauge',
    'sightline_archive_reserve_bytes gauge',
    'sightline_archive_volume_days gauge',
    'sightline_archive_volumes gauge',
    'sightline_build_info gauge',
    'sightline_cameras gauge',
    'sightline_event_loop_delay_seconds gauge',
    'sightline_ffmpeg_memory_bytes gauge',
    'sightline_ffmpeg_processes gauge',
    'sightline_http_request_duration_seconds histogram',
    'sightline_ingest_lag_seconds histogram',
    'sightline_ingest_workers gauge',
    'sightline_ingest_workers_memory_bytes gauge',
    'sightline_lost_seconds counter',
    'sightline_queue_length gauge',
    'sightline_recorded_bytes counter',
    'sightline_spool_bytes gauge',
    'sightline_viewers gauge',
  ])
})

test('series are bounded: routes as declared, methods that there are, statuses by their class', async () => {
  const { ask, app, signIn } = await open()
  const cookie = await signIn('ann')
  for (const uid of ['a', 'b', 'c']) await ask('GET', `/v1/stream/${uid}`, { cookie })
  await app.inject({ method: 'GET', url: '/v1/nothing-of-that-name', headers: { host: 'localhost' } })
  const series = seriesOf((await ask('GET', url, { cookie })).body)
  const counts = Object.fromEntries(
    [...series].filter(([name]) => name.startsWith('sightline_http_request_duration_seconds_count')),
  )
  expect(counts).toEqual({
    'sightline_http_request_duration_seconds_count{method="POST",route="/v1/sign-in",status="2xx"}': 1,
    'sightline_http_request_duration_seconds_count{method="GET",route="/v1/stream/:uid",status="4xx"}': 3,
    'sightline_http_request_duration_seconds_count{method="GET",route="none",status="4xx"}': 1,
  })
})

test('cameras are counted by their state', async () => {
  const { ask, signIn } = await open()
  const cookie = await signIn('ann')
  const camera = { name: 'Door', streamSource: 'rtsp://192.0.2.7/', live: { onDemand: true } }
  const { body } = await ask('POST', '/v1/stream', { cookie, body: camera })
  await ask('POST', `/v1/stream/pause/${String(Reflect.get(Object(body), 'uid'))}`, { cookie })
  await ask('POST', '/v1/stream', { cookie, body: camera })
  const series = seriesOf((await ask('GET', url, { cookie })).body)
  const states = Object.fromEntries([...series].filter(([name]) => name.startsWith('sightline_cameras{')))
  expect(states).toEqual({
    'sightline_cameras{state="pending"}': 1,
    'sightline_cameras{state="running"}': 0,
    'sightline_cameras{state="paused"}': 1,
    'sightline_cameras{state="failed"}': 0,
  })
})

test('work that waits for a slot is counted by its queue', async () => {
  const { ask, signIn } = await open()
  const cookie = await signIn('ann')
  const lengths = async () =>
    Object.fromEntries(
      [...seriesOf((await ask('GET', url, { cookie })).body)].filter(([name]) => name.startsWith('sightline_queue')),
    )
  const slots = createSlots({ queue: 'motion', size: 1 })
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  const work = [1, 2].map(() => slots({ callers: () => ['ann'] }, () => isFree))
  expect(await lengths()).toMatchObject({ 'sightline_queue_length{queue="motion"}': 1 })
  free()
  await Promise.all(work)
  const names = ['transcodes', 'pictures', 'probes', 'exports', 'masked-downloads', 'motion']
  const none = Object.fromEntries(names.map((name) => [`sightline_queue_length{queue="${name}"}`, 0]))
  expect(await lengths()).toMatchObject(none)
})

test('dashboard and alerts ask for metrics that there are', async () => {
  const { ask, signIn, context, site } = await open()
  // As if the server had a bucket.
  watchHandIn(context, { ...site, volumes: { ...site.volumes, bucket: () => 1 } })
  const text = String((await ask('GET', url, { cookie: await signIn('ann') })).body)
  const there = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) => {
    if (type === 'counter') return [`${name}_total`]
    return type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name]
  })
  const asked = ['deploy/grafana.json', 'deploy/alerts.yml'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?:sightline|process)_[a-z_]+/g)].map(([name]) => name),
  )
  expect(asked.length).toBeGreaterThan(20)
  expect(asked.filter((name) => !there.includes(name))).toEqual([])
  // One asks for it in a panel, one in a rule.
  expect(asked.filter((name) => name === 'sightline_hand_in_oldest_seconds')).toHaveLength(2)
})

test('rules compare figures with other labels by those that both have', () => {
  const compared = readFileSync('deploy/alerts.yml', 'utf8').match(/expr: .* (?:and|or|unless) .*/g) ?? []
  expect(compared.length).toBeGreaterThan(0)
  expect(compared.filter((rule) => !/ (?:and|or|unless) on \(/.test(rule))).toEqual([])
})
