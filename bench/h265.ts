import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'
import { liveHoldBack } from '../src/api/media/live/live-edge.ts'
import { longestSeconds, readPlaylist } from '../src/api/media/playlist/playlist.ts'
import type { Figure } from './figures.ts'
import { openInPlayer, openingStepMs } from './h265-openings.ts'
import { processTree, usedBy } from './processes.ts'
import { openCallSession, startServer, type Call, type Server } from './server.ts'
import { addCameras, siteEnvironment } from './site/recording.ts'
import { type Cameras, startCameras, type Picture } from './site/rtsp-cameras.ts'

const sizes: readonly { name: string; size: string; bitsPerSecond: number }[] = [
  { name: '1080p', size: '1920x1080', bitsPerSecond: 4_000_000 },
  { name: '4K', size: '3840x2160', bitsPerSecond: 12_000_000 },
]
const pictureOf = ({ size, bitsPerSecond }: (typeof sizes)[number]): Picture => ({
  codec: 'h265',
  size,
  fps: 25,
  keyframeEvery: 50,
  bitsPerSecond,
  seconds: 10,
})
const cameraCount = 16
const openings = 10
const startingMs = 120_000
const settlingMs = 10_000
/** Until the first chunks have a motion index. */
const indexedMs = 90_000
const maxShare = 1.5
const maxFirstMs = { live: 1500, archive: 1000 }

const Offered = z.object({ renditions: z.array(z.string()) })

type Get = (path: string) => Promise<Response>

const lineAfter = (text: string, pattern: RegExp): string => {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`no ${pattern.source} in ${text.slice(0, 200)}`)
  return found
}

/** The URI of the last segment of a playlist that begins no later than `moment`, in epoch milliseconds. */
const uriAt = (media: string, moment: number): string | undefined =>
  [...media.matchAll(/PROGRAM-DATE-TIME:(\S+)\n#EXTINF:.*\n(.+)$/gm)]
    .filter(([, date = '']) => Date.parse(date) <= moment)
    .at(-1)?.[2]

/** Where the console begins with a live playlist, epoch milliseconds. */
const liveIn = (media: string): number => {
  const playlist = readPlaylist(media)
  const last = playlist?.segments.at(-1)
  if (playlist === null || last?.utc == null) throw new Error('an empty playlist')
  return last.utc + (last.durationSeconds - liveHoldBack(longestSeconds(playlist), playlist.growthSeconds)) * 1000
}

/** Loads a playlist as a player does, and its segment of a moment: by default, of live. */
const play = async (get: Get, uid: string, query: string, moment?: number): Promise<void> => {
  const folder = `/v1/stream/${uid}/archive/`
  const multivariant = await (await get(`${folder}index.m3u8?${query}rendition=compatible`)).text()
  const path = lineAfter(multivariant, /^([^#\n].*)$/m)
  const media = await (await get(folder + path)).text()
  const base = folder + path.replace(/[^/]*\?.*$|[^/]*$/, '')
  const uri = uriAt(media, moment ?? liveIn(media))
  if (uri === undefined) throw new Error('an empty playlist')
  await Promise.all([base + lineAfter(media, /EXT-X-MAP:URI="([^"]+)"/), base + uri].map(read(get)))
}

const read =
  (get: Get) =>
  async (path: string): Promise<void> => {
    await (await get(path)).arrayBuffer()
  }

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** Requests the newest live segment repeatedly, as a player does, until `signal` aborts. */
const watch = async (get: Get, uid: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await play(get, uid, '')
    await after(1000)
  }
}

interface Recording {
  server: Server
  call: Call
  get: Get
  uids: readonly string[]
  /** The processor time of the server and its processes over `minutes`, in per cent of a core. */
  share: (minutes: number) => Promise<number>
}

/** Measures a server that records the cameras, when all of them run. */
const whileRecording = async <T>(
  cameras: Cameras,
  { isBuilt, hasMotionIndex }: { isBuilt: boolean; hasMotionIndex: boolean },
  measure: (recording: Recording) => Promise<T>,
): Promise<T> => {
  const env = { ...siteEnvironment, MOTION_INDEX: hasMotionIndex ? 'on' : 'off' }
  const server = await startServer(isBuilt, { hasDemo: false, env })
  try {
    const call = await openCallSession(server)
    const get: Get = (path) => call('GET', path)
    const uids: string[] = []
    await addCameras({ ask: call, cameras }, uids, cameraCount)
    const began = performance.now()
    for (const uid of uids)
      while (!z.parse(Offered, await (await get(`/v1/stream/${uid}`)).json()).renditions.includes('compatible')) {
        if (performance.now() - began > startingMs) throw new Error('a camera did not start')
        await after(500)
      }
    await after(hasMotionIndex ? indexedMs : settlingMs)

    const processes = () => (server.pid === null ? [] : processTree(server.pid))
    const share = async (minutes: number): Promise<number> => {
      const [from, before] = [performance.now(), usedBy(processes()).processorSeconds]
      await after(minutes * 60_000)
      return ((usedBy(processes()).processorSeconds - before) * 100_000) / (performance.now() - from)
    }
    return await measure({ server, call, get, uids, share })
  } finally {
    await server.stop()
  }
}

/** Without viewers, and as long with one camera watched as `compatible`. */
const measureWatching = async ({ server, call, get, uids, share }: Recording, minutes: number) => {
  const recordedFrom = Date.now()
  const unwatched = await share(minutes)

  const [uid = ''] = uids
  const live: number[] = []
  const archive: number[] = []
  for (let opening = 0; opening < openings; opening += 1) {
    await after(openingStepMs)
    live.push(await timed(() => play(get, uid, '')))
    const from = recordedFrom + opening * openingStepMs
    const range = `start_time=${new Date(from).toISOString()}&end_time=${new Date(from + 2000).toISOString()}&`
    archive.push(await timed(() => play(get, uid, range, from)))
  }

  // Other segments of the archive than those above.
  const from = recordedFrom + openings * openingStepMs
  const player = await openInPlayer(server, call, { uid, openings, from })

  const stopping = new AbortController()
  const sharing = share(minutes).finally(() => stopping.abort())
  const [both] = await Promise.all([sharing, watch(get, uid, stopping.signal)])
  return { unwatched, watched: both - unwatched, live, archive, player }
}

/** `segment` and `frame`: milliseconds until the first one. */
const firstTimes = (
  name: string,
  { segment, frame }: { segment: readonly number[]; frame: readonly number[] },
  maxMs: number,
): Figure[] => [
  { name: `${name}, playlist to first compatible segment`, values: segment, unit: 'ms', goal: { median: maxMs } },
  { name: `${name}, press to first compatible frame`, values: frame, unit: 'ms', goal: { median: maxMs } },
]

/** The figures of one size. */
const measure = async (size: (typeof sizes)[number], isBuilt: boolean, minutes: number): Promise<Figure[]> => {
  const cameras = await startCameras(pictureOf(size))
  try {
    const indexed = await whileRecording(cameras, { isBuilt, hasMotionIndex: true }, ({ share }) => share(minutes))
    const { unwatched, watched, live, archive, player } = await whileRecording(
      cameras,
      { isBuilt: true, hasMotionIndex: false },
      (recording) => measureWatching(recording, minutes),
    )
    const { name } = size
    const each = `${name} unwatched, each of ${cameraCount} cameras`
    const [unit, goal] = ['% of a core', { worst: maxShare }]
    return [
      { name: `${each}, with the motion index`, values: [indexed / cameraCount], unit, goal },
      { name: `${each}, without it`, values: [unwatched / cameraCount], unit, goal },
      { name: `${name} one of them watched as compatible, besides`, values: [watched], unit, goal: {} },
      ...firstTimes(`${name} live`, { segment: live, frame: player.live }, maxFirstMs.live),
      ...firstTimes(`${name} archive`, { segment: archive, frame: player.archive }, maxFirstMs.archive),
    ]
  } finally {
    cameras.stop()
  }
}

/**
 * `h265`: the processor time for H.265 cameras without viewers, with and without the motion index, and while one is
 * watched as `compatible`; the time from the request of the playlist to the first compatible segment; and that from a
 * click on a link to the first frame in the player. What concerns a viewer is measured without the motion index.
 */
export async function h265(isBuilt: boolean, minutes: number, wanted: RegExp): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of sizes.filter(({ name }) => wanted.test(name)))
    figures.push(...(await measure(size, isBuilt || figures.length > 0, minutes)))
  return figures
}
