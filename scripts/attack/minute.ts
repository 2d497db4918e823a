import type { Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { call, keptConnections, rawConnection, type Call } from './calls.ts'
import { listenRaw, rawHttp, startCamera } from './cameras.ts'
import { addPerson, addStream, recorded, recordedMs, signInAsAdministrator, type Person } from './people.ts'
import { openTarget, untilHolds, type Attack, type Ready, type Scene } from './scene.ts'
import { callerOf } from './space.ts'
import { residentMb } from './target.ts'
import { markedText } from './text.ts'

const seconds = 60
const scenes = ['gate', 'yard', 'warehouse']

/**
 * Starts `work` so many times a second until a moment (epoch milliseconds), whether or not the last one has ended; waits
 * for all of them.
 */
const repeatedly = async (
  perSecond: number,
  until: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> => {
  const started: Promise<unknown>[] = []
  for (let index = 0; Date.now() < until; index += 1) {
    started.push(work(index))
    await after(1000 / perSecond)
  }
  await Promise.all(started)
}

/** `until`: when the floods end. `filmed`: a recorded stream, since `from`. Moments in epoch milliseconds. */
type Siege = Ready & { scene: Scene; until: number; signal: AbortSignal; filmed: string; from: number }

const probeOf = (by: Person, url: string, more: Omit<Call, 'method'>) =>
  by.ask('GET', `/v1/stream/probe?url=${encodeURIComponent(url)}`, more)

/** Cameras that are probed repeatedly. */
const hostileProbes = async ({ scene, target, admin, until, signal }: Siege): Promise<void> => {
  const hints = Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(1000))
  const early = await listenRaw(scene.space, (socket) => {
    const timer = setInterval(() => void socket.write(hints), 20)
    socket.once('close', () => clearInterval(timer))
  })
  const rtsp = await listenRaw(
    scene.space,
    (socket) => void socket.once('data', () => socket.write('RTSP/'.repeat(78_000))),
  )
  const tarpit = await listenRaw(scene.space, () => undefined)
  for (const listener of [early, rtsp, tarpit]) scene.defer(listener.close)
  const user = await addPerson(target, admin, 'prober', -1)
  await Promise.all([
    repeatedly(1, until, () => probeOf(user, `${early.url}/x`, { timeoutMs: 2000, signal })),
    repeatedly(1, until, () =>
      probeOf(user, `rtsp://${scene.space.ownHost}:${rtsp.port}/x`, { timeoutMs: 2000, signal }),
    ),
    repeatedly(5, until, () => probeOf(user, `${tarpit.url}/x`, { timeoutMs: 300, signal })),
  ])
}

/** Recorded cameras: malformed ones, and one of 60 Mbit/s without keyframes. */
const hostileStreams = async ({ scene, target, admin }: Siege): Promise<void> => {
  const user = await addPerson(target, admin, 'creator', -1)
  const odd = await rawHttp(scene.space, (path) =>
    path === '/099'
      ? 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'
      : 'HTTP/1.1 200 OK\r\nTrailer: x\r\nContent-Length: 4\r\n\r\nabcd',
  )
  scene.defer(odd.close)
  const heavy = await startCamera(scene.space, { bitRate: 60_000_000, keyEvery: 0 })
  await user.ask('POST', '/v1/stream', { body: { name: 'Heavy', streamSource: heavy.url } })
  for (const path of ['099', 'trailer'])
    await user.ask('POST', '/v1/stream', { body: { name: path, streamSource: `${odd.url}/${path}` } })
}

/** Attacks without an account. */
const strangers = async ({ scene, target, until, signal }: Siege): Promise<void> => {
  const agent = keptConnections(target.origin(), 50)
  const post = (path: string, body: unknown, index: number) =>
    call(target.origin(), path, { method: 'POST', body, from: callerOf(scene.space, index), timeoutMs: 20_000, signal })
  await Promise.all([
    repeatedly(3, until, (index) => post('/v1/sign-in', { name: 'admin', password: markedText }, index)),
    repeatedly(40, until, (index) =>
      post('/v1/sign-in', { name: `somebody${index}`, password: `guess ${index}` }, index),
    ),
    repeatedly(150, until, (index) =>
      call(target.origin(), `/v1/stream/forged-${index}/archive/live.m3u8`, {
        agent,
        headers: { 'share-token': `junk-${index}` },
        timeoutMs: 20_000,
        signal,
      }),
    ),
    repeatedly(50, until, (index) =>
      call(target.origin(), `/ui/assets/..%2f${'x'.repeat(index % 3000)}`, { agent, timeoutMs: 20_000, signal }),
    ),
  ])
}

/** A viewer who requests everything at once. */
const greed = async ({ target, admin, until, signal, filmed, from }: Siege): Promise<void> => {
  const user = await addPerson(target, admin, 'greedy')
  await admin.ask('POST', `/v1/stream/${filmed}/permissions`, {
    body: { permissions: [{ login: 'greedy', canView: true, canViewArchive: true, canAdmin: false }] },
  })
  const query = new URLSearchParams({
    start_time: new Date(from).toISOString(),
    end_time: new Date(from + 600_000).toISOString(),
    timezone_offset: '0',
  })
  const { cookie = '' } = user.proof()
  const open: Socket[] = []
  const unread = async () => {
    const socket = await rawConnection(target.origin())
    open.push(socket)
    socket.pause()
    socket.write(
      `GET /v1/stream/${filmed}/archive/download?${query} HTTP/1.1\r\n` +
        `Host: ${new URL(target.origin()).host}\r\nCookie: ${cookie}\r\n\r\n`,
    )
  }
  await Promise.all([
    repeatedly(10, until, () => unread().catch(() => undefined)),
    repeatedly(0.1, until, (turn) =>
      Promise.all(
        Array.from({ length: 150 }, (_, index) =>
          user.ask(
            'GET',
            `/v1/stream/preview?stream_id=${filmed}&time=${new Date(from + turn * 1000 + index * 100).toISOString()}`,
            { timeoutMs: 20_000, signal },
          ),
        ),
      ),
    ),
  ])
  for (const socket of open) socket.destroy()
}

const allAtOnce = async (scene: Scene): Promise<void> => {
  const ready = await openTarget(scene)
  const { target, admin, health } = ready
  const cameras: string[] = []
  for (const name of scenes) cameras.push(await addStream(admin, name, `demo:${name}`))
  const since = Date.now()
  const isRecording = async (uid: string) => (await recordedMs(admin, uid, since - 60_000, Date.now())) > 15_000
  const recordingAfter = await untilHolds(
    async () => (await Promise.all(cameras.map(isRecording))).every(Boolean),
    120,
    1000,
  )
  if (recordingAfter === undefined) throw new Error('the demo cameras do not record')
  const quietSince = Date.now()
  await after(5000)
  const quiet = health.since(quietSince)
  const began = Date.now()
  const abort = new AbortController()
  const siege: Siege = {
    ...ready,
    scene,
    until: began + seconds * 1000,
    signal: abort.signal,
    filmed: cameras[0] ?? '',
    from: since,
  }
  const parts = [hostileProbes(siege), hostileStreams(siege), strangers(siege), greed(siege)].map((part) =>
    part.catch(() => undefined),
  )
  await after(seconds * 1000)
  const seen = health.since(began)
  const megabytes = residentMb(target.pid())
  abort.abort()
  await Promise.race([Promise.all(parts), after(30_000)])
  const isUp = target.ends.length === 0
  scene.note(
    `all floods at once for ${seconds} s: health each 100 ms`,
    `${seen.summary} (before: p99 ${quiet.p99} ms); ${megabytes} MB resident`,
    seen.p99 <= 100 && seen.lost === 0,
  )
  scene.note('all floods at once: the server', isUp ? 'never ended' : `ended: ${target.ends.join('; ')}`, isUp)
  if (!isUp) await target.start()
  // The last segment is indexed after the next one.
  await after(4000)
  const again = isUp ? admin : await signInAsAdministrator(target)
  const end = began + seconds * 1000
  const found = await Promise.all(cameras.map((uid) => recorded(again, uid, began, end)))
  const lost = found.map((ranges) => end - began - ranges.reduce((sum, range) => sum + range.to - range.from, 0))
  const isWhole = found.every((ranges) => ranges.length === 1) && lost.every((ms) => ms < 1000)
  scene.note(
    'all floods at once: what the demo cameras recorded',
    isWhole ? 'no gap' : `gaps of ${lost.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}`,
    isWhole,
  )
}

export const minuteAttacks: readonly Attack[] = [
  { name: 'minute: all floods at once', run: allAtOnce, limitSeconds: 400 },
]
