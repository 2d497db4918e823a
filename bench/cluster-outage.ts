import { setTimeout as after } from 'node:timers/promises'
import { minuteMs } from '../server/durations.ts'
import { missingInBucket } from './cluster/bookkeeping.ts'
import type { BenchNode } from './cluster/nodes.ts'
import { print, sweptFigures, withRecordingCluster, type RecordingCluster } from './cluster/site.ts'
import type { Figure } from './figures.ts'
import { lostBetween } from './site/recording.ts'

/** The recording before and after the outage. */
const aroundMs = 90_000
/** The newest chunk isn't sealed yet. */
const newestMs = 75_000
const handedInWithinMs = 15 * minuteMs
const viewEveryMs = 5000
/** At the ends of chunks, times are rounded. */
const roundedSeconds = 0.5

type Service = { name: string; cut: () => Promise<void>; start: () => Promise<void> }

type Viewer = { node: BenchNode; uid: string }

/** Two viewers a node, each of another camera, so that some watch what another node records. */
const viewersOf = (nodes: readonly BenchNode[], uids: readonly string[]): Viewer[] =>
  nodes.flatMap((node, position) => uids.slice(2 * position, 2 * position + 2).map((uid) => ({ node, uid })))

/** The share of live playlists that aren't answered while the viewers watch for so long, %. */
const watch = async (viewers: readonly Viewer[], ms: number): Promise<number> => {
  const end = performance.now() + ms
  let [asked, refused] = [0, 0]
  const ask = async ({ node, uid }: Viewer): Promise<void> => {
    const reply = await node.ask('GET', `/v1/stream/${uid}/archive/live.m3u8`).catch(() => undefined)
    await reply?.text()
    asked += 1
    if (reply === undefined) refused += 1
  }
  while (performance.now() < end) {
    await Promise.all(viewers.map(ask))
    await after(viewEveryMs)
  }
  return (refused * 100) / asked
}

const outageOf = async (
  { site, nodes, first, uids }: RecordingCluster,
  { name, cut, start }: Service,
  minutes: number,
): Promise<Figure[]> => {
  const viewers = viewersOf(nodes, uids)
  await watch(viewers, aroundMs)

  const from = Date.now()
  await cut()
  print(`the ${name} is away for ${minutes} min`)
  const refused = await watch(viewers, minutes * minuteMs)
  await start()
  const back = Date.now()
  const missing = () => missingInBucket(site, uids, from, back - newestMs)
  const waited = await missing()
  print(`the ${name} is back`)
  const isHandedIn = async () => (await missing()).every((seconds) => seconds < roundedSeconds)
  while (!(await isHandedIn()) && Date.now() - back < handedInWithinMs) await after(500)
  const seconds = (await isHandedIn()) ? (Date.now() - back) / 1000 : Number.NaN
  await after(aroundMs)

  const lost: number[] = []
  for (const uid of uids) lost.push(await lostBetween(first, [uid], from - newestMs, back))
  return [
    {
      name: `until all of ${minutes} min without the ${name} is in the bucket`,
      values: [seconds],
      unit: 's',
      goal: { lost: 0 },
    },
    { name: `waited, of each camera: ${name} away`, values: waited, unit: 's', goal: {} },
    { name: `live playlists refused: ${name} away`, values: [refused], unit: '%', goal: { worst: 0 } },
    { name: `lost of each camera: ${name} away`, values: lost, unit: 's', goal: { worst: 0 } },
  ]
}

/** `cluster-outage`: the bucket of three nodes that record 24 cameras is away for `minutes`, then their database. */
export const clusterOutage = (minutes: number): Promise<Figure[]> =>
  withRecordingCluster(async (recording) => {
    const { s3, postgres } = recording.site
    return [
      ...(await outageOf(recording, { name: 'bucket', ...s3 }, minutes)),
      ...(await outageOf(recording, { name: 'database', ...postgres }, minutes)),
      ...(await sweptFigures(recording)),
    ]
  })
