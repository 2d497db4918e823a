import { readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { rawConnection, type Reply } from './calls.ts'
import { listenRaw, startCamera } from './cameras.ts'
import { addPerson, addStream, needed, recorded, recordedMs, statusOf, type Person } from './people.ts'
import { openTarget, certified, secondsText, untilHolds, type Attack, type Ready, type Scene } from './scene.ts'
import { residentMb } from './target.ts'

const patienceSeconds = 40

const cancelledProbes = async (scene: Scene): Promise<void> => {
  const { target, admin, health } = await openTarget(scene)
  const camera = await startCamera(scene.space)
  const tarpit = await listenRaw(scene.space, () => undefined)
  scene.defer(tarpit.close)
  const connects = async (name: string): Promise<number | undefined> => {
    const uid = await addStream(admin, name, camera.url)
    const took = await untilHolds(async () => (await statusOf(admin, uid)) === 'running', patienceSeconds)
    needed(await admin.ask('DELETE', `/v1/stream/${uid}?purge=true`))
    return took
  }
  const alone = await connects('Before')
  const user = await addPerson(target, admin, 'impatient', -1)
  const began = Date.now()
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      user.ask(
        'GET',
        `/v1/stream/probe?url=${encodeURIComponent(`http://${scene.space.ownHost}:${tarpit.port}/${index}`)}`,
        { timeoutMs: 300 },
      ),
    ),
  )
  const behind = await connects('After')
  const isHeld = behind !== undefined && behind < 15
  scene.note(
    'twenty cancelled probes of a source that sends nothing, then a new camera',
    `it runs after ${secondsText(behind, patienceSeconds)}, without them after ` +
      `${secondsText(alone, patienceSeconds)}; ${health.since(began).summary}`,
    isHeld,
  )

  // Probes that don't end: those of users must not delay cameras.
  const abort = new AbortController()
  const waiting = Array.from({ length: 20 }, (_, index) =>
    user.ask(
      'GET',
      `/v1/stream/probe?url=${encodeURIComponent(`http://${scene.space.ownHost}:${tarpit.port}/${index}`)}`,
      { timeoutMs: 60_000, signal: abort.signal },
    ),
  )
  await after(500)
  const beside = await connects('Beside')
  abort.abort()
  const answers = await Promise.all(waiting)
  const refused = answers.filter(({ status }) => status === 503 || status === 429).length
  scene.note(
    'twenty probes of such a source under way, and a new camera',
    `it runs after ${secondsText(beside, patienceSeconds)}; ${refused} of the probes were refused`,
    beside !== undefined && beside < 15,
  )
}

type Filmed = Ready & { uid: string; from: number; to: number }

/** A server with some seconds of archive. */
const filmed = async (scene: Scene, seconds: number, bitRate?: number): Promise<Filmed> => {
  const ready = await openTarget(scene)
  const source = bitRate === undefined ? 'demo:gate' : (await startCamera(scene.space, { bitRate })).url
  const uid = await addStream(ready.admin, 'Door', source)
  await untilHolds(
    async () => (await recordedMs(ready.admin, uid, Date.now() - 120_000, Date.now())) > seconds * 1000,
    seconds + 60,
  )
  needed(await ready.admin.ask('POST', `/v1/stream/pause/${uid}`))
  await after(500)
  const [first] = await recorded(ready.admin, uid, Date.now() - 120_000, Date.now())
  if (first === undefined) throw new Error('nothing was recorded')
  return { ...ready, uid, ...first }
}

const viewerOf = async ({ target, admin, uid }: Filmed, login: string): Promise<Person> => {
  const viewer = await addPerson(target, admin, login)
  const permissions = JSON.parse(needed(await admin.ask('GET', `/v1/stream/${uid}/permissions`)).body.toString())
  const others = [...permissions.permissions, { login, canView: true, canViewArchive: true, canAdmin: false }]
  needed(await admin.ask('POST', `/v1/stream/${uid}/permissions`, { body: { permissions: others } }))
  return viewer
}

const manyPreviews = async (scene: Scene): Promise<void> => {
  const set = await filmed(scene, 25)
  const [greedy, modest] = [await viewerOf(set, 'greedy'), await viewerOf(set, 'modest')]
  const preview = (by: Person, at: number): Promise<Reply> =>
    by.ask('GET', `/v1/stream/preview?stream_id=${set.uid}&time=${new Date(set.from + at).toISOString()}`, {
      timeoutMs: 60_000,
    })
  const alone = (await preview(modest, 15_000)).ms
  const before = residentMb(set.target.pid())
  const all = Array.from({ length: 150 }, (_, index) => preview(greedy, 500 + index * 100))
  await after(150)
  const one = await preview(modest, 17_300)
  const grown = residentMb(set.target.pid()) - before
  const answers = await Promise.all(all)
  const refused = answers.filter(({ status }) => status === 503)
  const hasRetryAfter = refused.every(({ headers }) => headers['retry-after'] !== undefined)
  const result =
    `one of another user took ${(one.ms / 1000).toFixed(1)} s (${one.status}), ` +
    `alone ${(alone / 1000).toFixed(1)} s; ${refused.length} of the 150 were refused; ${grown} MB more`
  scene.note(
    '150 previews at once by one user',
    result,
    one.status === 200 && one.ms < Math.max(3000, 10 * alone) && hasRetryAfter,
  )
}

const downloadsAtOnce = 800

/** The bytes that a process has read until now, from files and sockets. */
const bytesRead = (pid: number): number =>
  Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))?.[1] ?? 0)

const unreadDownloads = async (scene: Scene): Promise<void> => {
  const set = await filmed(scene, 20, 16_000_000)
  const { target, health, from, to } = set
  const viewer = await viewerOf(set, 'hoarder')
  const before = residentMb(target.pid())
  const query = new URLSearchParams({
    start_time: new Date(from).toISOString(),
    end_time: new Date(to).toISOString(),
    timezone_offset: '0',
  })
  const { cookie = '' } = viewer.proof()
  const began = Date.now()
  const heads: string[] = []
  const sockets = await Promise.all(
    Array.from({ length: downloadsAtOnce }, async () => {
      const socket = await rawConnection(target.origin())
      socket.once('data', (chunk: Buffer) => {
        heads.push(chunk.toString('latin1', 9, 12))
        socket.pause()
      })
      socket.write(
        `GET /v1/stream/${set.uid}/archive/download?${query} HTTP/1.1\r\n` +
          `Host: ${new URL(target.origin()).host}\r\nCookie: ${cookie}\r\n\r\n`,
      )
      return socket
    }),
  )
  await after(12_000)
  const seen = health.since(began)
  const grown = residentMb(target.pid()) - before
  for (const socket of sockets) socket.destroy()
  const begun = heads.filter((status) => status === '200').length
  scene.note(
    `${downloadsAtOnce} downloads of one account that are not read, 12 s`,
    `${begun} began; ${seen.summary}; ${grown} MB more`,
    seen.worst < 2000 && grown < 300 && target.isUp(),
  )

  await after(2000)
  const readBefore = bytesRead(target.pid())
  await viewer.ask('HEAD', `/v1/stream/${set.uid}/archive/download?${query}`)
  await after(1500)
  const read = bytesRead(target.pid()) - readBefore
  scene.note('HEAD of a download of 40 MB', `the server read ${(read / 1e6).toFixed(1)} MB for it`, read < 4e6)
}

const withoutKeyframes = async (scene: Scene): Promise<void> => {
  for (const [name, env] of [
    ['HTTP', {}],
    ['HTTPS, where live is cut into parts', certified(scene)],
  ] as const) {
    const { target, admin, health } = await openTarget(scene, { env })
    const camera = await startCamera(scene.space, { bitRate: 60_000_000, keyEvery: 0 })
    await after(2000)
    const before = residentMb(target.pid())
    const began = Date.now()
    const uid = await addStream(admin, 'Long', camera.url)
    let most = before
    for (let second = 0; second < 45; second += 1) {
      await after(1000)
      most = Math.max(most, residentMb(target.pid()))
    }
    const result =
      `resident memory from ${before} to ${most} MB; ` +
      `the stream is ${await statusOf(admin, uid)}; ${health.since(began).summary}`
    scene.note(
      `a source of 60 Mbit/s without keyframes for 45 s, over ${name}`,
      result,
      most - before < 150 && target.isUp(),
    )
    camera.close()
    await target.stop()
  }
}

const longGop = async (scene: Scene): Promise<void> => {
  const { admin } = await openTarget(scene)
  const cameras = await Promise.all(
    [20, 28].map(async (seconds) => ({ seconds, camera: await startCamera(scene.space, { keyEvery: seconds * 25 }) })),
  )
  const streams = await Promise.all(
    cameras.map(async ({ seconds, camera }) => ({
      seconds,
      uid: await addStream(admin, `GOP of ${seconds}`, camera.url),
    })),
  )
  const began = Date.now()
  const seen = async () =>
    Promise.all(
      streams.map(async ({ seconds, uid }) => ({ seconds, ms: await recordedMs(admin, uid, began, Date.now()) })),
    )
  await untilHolds(async () => (await seen()).every(({ ms, seconds }) => ms > seconds * 1000), 100, 1000)
  const found = await seen()
  scene.note(
    'cameras with a keyframe each 20 and 28 s, 100 s',
    found.map(({ seconds, ms }) => `${seconds} s: ${(ms / 1000).toFixed(0)} s recorded`).join(', '),
    found.every(({ ms, seconds }) => ms > seconds * 1000),
  )
}

export const queueAttacks: readonly Attack[] = [
  { name: 'queues: cancelled probes', run: cancelledProbes },
  { name: 'queues: previews', run: manyPreviews },
  { name: 'queues: unread downloads', run: unreadDownloads },
  { name: 'memory: no keyframes', run: withoutKeyframes },
  { name: 'recording: long GOPs', run: longGop },
]
