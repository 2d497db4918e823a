import { Agent, type OutgoingHttpHeaders } from 'node:http'
import { seedCrowd, viewer, week, weekly } from './crowd.ts'
import type { Figure } from './figures.ts'
import { repeatableRandom } from './harness.ts'
import { signIn, startServer } from './server.ts'
import { processorMs } from './processes.ts'
import { untilStarted } from './started.ts'
import { timed } from './timed.ts'

const rounds = 100
const hour = 3_600_000

/**
 * `calls`: how long the embedded server takes for the calls of a console with 10,000 streams and a million segments.
 */
export async function calls(): Promise<Figure[]> {
  const random = repeatableRandom(7)
  const agent = new Agent({ keepAlive: true })
  const aside = new Agent({ keepAlive: true })
  const until = Math.floor(Date.now() / hour) * hour
  let token = ''
  const seed = async (dataDir: string) => {
    token = await seedCrowd(dataDir, until)
  }
  // The console isn't used and needs no build.
  const server = await startServer(true, { hasDemo: false, seed })
  const { address, pid } = server
  try {
    const admin = { cookie: await signIn(server) }
    const user = { authorization: `Bearer ${token}` }
    await untilStarted(agent, server)
    const figures: Figure[] = []

    const measure = async (
      name: string,
      urlOf: (round: number) => string,
      p95: number | undefined,
      caller: OutgoingHttpHeaders = admin,
      count = rounds,
    ): Promise<void> => {
      const values: number[] = []
      const before = processorMs(pid)
      for (let round = 0; round < count; round += 1)
        values.push((await timed(agent, `${address}${urlOf(round)}`, caller)).ms)
      const mean = (processorMs(pid) - before) / count
      figures.push(
        { name, unit: 'ms', values, goal: p95 === undefined ? {} : { p95 } },
        { name: `${name}, of the processor`, unit: 'ms', values: [mean], goal: {} },
      )
    }
    const page = () => Math.floor(random() * 50) + 1
    const instant = (at: number) => new Date(at).toISOString()
    const range = (from: number, to: number) => `start_time=${instant(from)}&end_time=${instant(to)}`
    const archive = `/v1/stream/${weekly}/archive`
    const within = (span: number) => {
      const from = until - week + Math.floor(random() * (week - span))
      return range(from, from + span)
    }
    const aWeek = () => range(until - week + Math.floor(random() * 60_000), until - Math.floor(random() * 60_000))

    await measure('Playlist of 7 days, the first', () => `${archive}/recorded.m3u8?${aWeek()}`, undefined, admin, 1)
    await measure('Playlist of 7 days', () => `${archive}/recorded.m3u8?${aWeek()}`, 100)
    await measure('Multivariant playlist of 7 days', () => `${archive}/index.m3u8?${aWeek()}`, 50)
    await measure('Ranges of 3 hours', () => `${archive}/ranges?${within(3 * hour)}`, 50)
    await measure(
      'Available days of 42',
      () => `${archive}/available-days?${range(until - 6 * week, until)}&timezone=Europe/Berlin`,
      50,
    )
    await measure('Stats', () => `${archive}/stats`, 50)
    await measure('Streams, newest first', () => `/v1/streams?page=${page()}`, 50)
    await measure('Streams by name', () => `/v1/streams?page=${page()}&sortType=name`, 50)
    await measure('Streams by status', () => `/v1/streams?page=${page()}&sortType=status`, 50)
    await measure('Streams by tag and name', () => `/v1/streams?page=${page()}&groupType=tag&sortType=name`, 50)
    await measure(
      'Streams searched',
      (round) =>
        `/v1/streams?searchingValues=${round % 2 === 0 ? 'HARBOUR' : 'critical'}&searchingValues=${round % 10}`,
      50,
    )
    await measure('Streams available', () => `/v1/streams?page=${page()}&isOnlyAvailable=true`, 50)
    await measure('Streams of a viewer by name', () => `/v1/streams?page=${page()}&sortType=name`, 50, user)
    await measure(
      'Search of the palette',
      (round) => `/v1/system/search?query=${round % 2 === 0 ? 'gate' : 'roof'}%200${round % 10}`,
      50,
    )
    await measure('Metrics for Prometheus', () => '/v1/system/metrics', 20)
    await measure('Permissions of a user', () => `/v1/user/${viewer}/permissions`, 50)

    const health: number[] = []
    const writing = new AbortController()
    const watch = async () => {
      while (!writing.signal.aborted) health.push((await timed(aside, `${address}/v1/system/health`, admin)).ms)
    }
    const watching = watch()
    for (let round = 0; round < 10; round += 1)
      await timed(agent, `${address}${archive}/recorded.m3u8?${aWeek()}`, admin)
    writing.abort()
    await watching
    figures.push({
      name: 'Health while playlists of 7 days are written',
      unit: 'ms',
      values: health,
      goal: { worst: 100 },
    })
    return figures
  } finally {
    agent.destroy()
    aside.destroy()
    await server.stop()
  }
}
