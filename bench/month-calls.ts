import { dayMs, hourMs, minuteMs } from '../server/durations.ts'
import type { Figure } from './figures.ts'
import { repeatableRandom } from './harness.ts'
import type { Call } from './server.ts'

/** `from` and `until` are whole minutes apart; each minute between begins a chunk. */
export type Month = { from: number; until: number }

const callsEach = 40
const callMs = 50
const motionMs = 5000
/** The shortest chunk is longer. */
const withinChunkMs = 10_000

const readAll = async (reply: Response): Promise<void> => {
  await reply.arrayBuffer()
}

/** Reads the first bytes; the rest isn't sent. */
const readFirst = async (reply: Response): Promise<void> => {
  const reader = reply.body?.getReader()
  await reader?.read()
  await reader?.cancel()
}

/** `p95`: its goal in milliseconds; null if it has none. */
type Measured = { path: (uid: string) => string; p95?: number | null; read?: typeof readAll }

/** Locks an hour of each camera, as a list of no locks says little. */
export const lockHours = async (ask: Call, uids: readonly string[], { from }: Month): Promise<void> => {
  const [startTime, endTime] = [from + dayMs, from + dayMs + hourMs].map((at) => new Date(at).toISOString())
  for (const uid of uids) await ask('POST', `/v1/stream/${uid}/archive/locks`, { startTime, endTime, reason: 'Bench' })
}

/** Measures calls about random cameras and times of the month until each response has been read, in milliseconds. */
export const measureCalls = async (ask: Call, uids: readonly string[], { from, until }: Month): Promise<Figure[]> => {
  const random = repeatableRandom(1)
  const minutes = (until - from) / minuteMs
  const periodOf = (hours: number): [string, string] => {
    const start = from + Math.floor(random() * (until - from - hours * hourMs))
    return [new Date(start).toISOString(), new Date(start + hours * hourMs).toISOString()]
  }
  const period = (hours: number): string => {
    const [start, end] = periodOf(hours)
    return `start_time=${start}&end_time=${end}`
  }
  const day = (): string => {
    const [start, end] = periodOf(24)
    return `from=${start}&to=${end}`
  }
  // Retention deletes the first minutes meanwhile.
  const chunkStart = (): number => from + hourMs + Math.floor(random() * (minutes - 60)) * minuteMs
  const inChunk = (): string => new Date(chunkStart() + random() * withinChunkMs).toISOString()
  const archive = (uid: string): string => `/v1/stream/${uid}/archive`

  const calls: Readonly<Record<string, Measured>> = {
    'ranges of 3 hours': { path: (uid) => `${archive(uid)}/ranges?${period(3)}` },
    'playlist of an hour': { path: (uid) => `${archive(uid)}/recorded.m3u8?${period(1)}` },
    'multivariant playlist of an hour': { path: (uid) => `${archive(uid)}/index.m3u8?${period(1)}` },
    segment: { path: (uid) => `${archive(uid)}/recorded/${chunkStart()}.m4s` },
    // Besides reading, ffmpeg decodes a picture.
    preview: { path: (uid) => `/v1/stream/preview?stream_id=${uid}&time=${inChunk()}`, p95: null },
    'first bytes of a download of an hour': {
      path: (uid) => `${archive(uid)}/download?${period(1)}`,
      read: readFirst,
    },
    'available days': { path: (uid) => `${archive(uid)}/available-days?${period((until - from) / hourMs - 1)}` },
    stats: { path: (uid) => `${archive(uid)}/stats` },
    'motion search of a day': { path: (uid) => `${archive(uid)}/motion?${day()}`, p95: motionMs },
    'annotations of a day': { path: (uid) => `/v1/annotations?streamId=${uid}&${day()}` },
    'events of a day': { path: (uid) => `/v1/events/search?streamId=${uid}&${day()}` },
    locks: { path: (uid) => `${archive(uid)}/locks` },
    'retention forecast': { path: () => '/v1/admin/retention' },
    'list of streams': { path: () => `/v1/streams?page=${1 + Math.floor(random() * 2)}` },
  }
  const figures: Figure[] = []
  for (const [name, { path, p95 = callMs, read = readAll }] of Object.entries(calls)) {
    const values: number[] = []
    for (let call = 0; call < callsEach; call += 1) {
      const url = path(uids[Math.floor(random() * uids.length)] ?? '')
      const asked = performance.now()
      const reply = await ask('GET', url)
      await read(reply)
      values.push(performance.now() - asked)
      if (reply.status !== 200) throw new Error(`${url} answered ${reply.status}`)
    }
    figures.push({ name, values, unit: 'ms', goal: p95 === null ? {} : { p95 } })
  }
  return figures
}
