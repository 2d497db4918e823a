import { setTimeout as after } from 'node:timers/promises'
import { watchTenures } from './cluster/bookkeeping.ts'
import { faultKinds, faultsOf, type Fault, type FaultKind } from './cluster/faults.ts'
import { lossesOf, failOverSeconds } from './cluster/losses.ts'
import type { BenchNode } from './cluster/nodes.ts'
import { recordedTwice } from './cluster/overlaps.ts'
import { print, sweptFigures, withRecordingCluster } from './cluster/site.ts'
import { repeatableRandom } from './harness.ts'
import type { Figure } from './figures.ts'
import { gapsBetween, siteCamera } from './site/recording.ts'

const faultEveryMs = 30_000
/** After the last fault: a SIGSTOP ends, late chunks are handed in. */
const settlingMs = 240_000
const looks = 20
/** The clock of one node is so much ahead or behind. */
const skewMs = 30_000

const groupSeconds = siteCamera.keyframeEvery / siteCamera.fps

/** Milliseconds that a live playlist takes longer through a node that doesn't record the stream. */
const addedByProxy = async (nodes: readonly BenchNode[], uids: readonly string[]): Promise<number[]> => {
  const added: number[] = []
  for (let look = 0; look < looks; look += 1) {
    const uid = uids[look % uids.length] ?? ''
    const placed = (await nodes[0]?.placement())?.find(({ streamId }) => streamId === uid)
    const holder = nodes.find(({ id }) => id === placed?.nodeId)
    const other = nodes.find(({ id }) => id !== placed?.nodeId)
    if (holder === undefined || other === undefined) continue
    const timeOf = async ({ ask }: BenchNode): Promise<number> => {
      const from = performance.now()
      const reply = await ask('GET', `/v1/stream/${uid}/archive/live.m3u8`).catch(() => undefined)
      await reply?.text()
      return reply === undefined ? Number.NaN : performance.now() - from
    }
    added.push((await timeOf(other)) - (await timeOf(holder)))
  }
  return added
}

/** What a fault of a kind may cost a camera, besides hand-overs. */
const mostLost = (kind: FaultKind): number => (kind === 'kill' || kind === 'pause' ? failOverSeconds : 0)

/**
 * `cluster`: three nodes record 24 cameras, one of them with a clock that is 30 s ahead or behind. Every 30 s a fault
 * happens, for `minutes`, in an order that `seed` repeats: a node is killed, stopped for 60 s or drained, the database
 * or the bucket is cut, or a second server starts with the id of a node.
 */
export const cluster = (minutes: number, seed: number): Promise<Figure[]> => {
  // Spread, as the generator begins alike with seeds that follow each other.
  const random = repeatableRandom(Math.imul(seed, 0x9e3779b1) >>> 0)
  const aheadMs = random() < 0.5 ? -skewMs : skewMs
  return withRecordingCluster(async (recording) => {
    const { site, nodes, first, uids } = recording
    const added = await addedByProxy(nodes, uids)

    const watched = await watchTenures(site)
    const faults = faultsOf(site, nodes, random)
    const done: Fault[] = []
    const end = Date.now() + minutes * 60_000
    while (Date.now() < end) {
      const next = after(faultEveryMs)
      const fault = await faults.next()
      print(`${new Date(fault.at).toISOString()} ${fault.kind} ${fault.nodeId}: ${fault.seconds.toFixed(1)} s`)
      done.push(fault)
      await next
    }
    await faults.settle()
    await after(settlingMs)
    const tenures = await watched.stop()

    const from = done[0]?.at ?? end
    const losses = await Promise.all(
      uids.map(async (uid) => {
        const own = tenures.filter((tenure) => tenure.uid === uid)
        const found = lossesOf(await gapsBetween(first, uid, from, end), done, own, groupSeconds)
        if (found.beyond > 0) print(JSON.stringify({ uid, unexplained: found.unexplained, tenures: own }))
        return found
      }),
    )
    const of = (...kinds: FaultKind[]) => done.filter(({ kind }) => kinds.includes(kind)).map(({ seconds }) => seconds)
    const twice = await Promise.all(uids.map((uid) => recordedTwice(first.ask, uid, from, Date.now())))
    const ran = faultKinds.filter((kind) => of(kind).length > 0)
    const figures: Figure[] = [
      { name: `clock of ${nodes.at(-1)?.id ?? ''}, ahead by`, values: [aheadMs / 1000], unit: 's', goal: {} },
      ...faultKinds.map((kind): Figure => ({
        name: `faults: ${kind}`,
        values: [of(kind).length],
        unit: 'times',
        goal: {},
      })),
      {
        name: 'until another node shows all cameras of a lost node running',
        values: of('kill', 'pause'),
        unit: 's',
        goal: { lost: 0 },
      },
      { name: 'until a drained node has handed over all', values: of('drain'), unit: 's', goal: { lost: 0 } },
      {
        name: 'until a second server with the id of a node is refused',
        values: of('twin'),
        unit: 's',
        goal: { lost: 0 },
      },
      ...ran.map((kind): Figure => ({
        name: `lost of each camera: ${kind}`,
        values: losses.flatMap(({ during }) => during.get(kind) ?? [0]),
        unit: 's',
        goal: { worst: mostLost(kind) },
      })),
      {
        name: 'lost of each camera: hand-over',
        values: losses.flatMap(({ handOver }) => handOver),
        unit: 's',
        goal: { worst: groupSeconds },
      },
      {
        name: 'lost of each camera beyond that',
        values: losses.map(({ beyond }) => beyond),
        unit: 's',
        goal: { worst: 0 },
      },
      { name: 'recorded twice, of each camera', values: twice, unit: 's', goal: { worst: 0 } },
      ...(await sweptFigures(recording)),
      { name: 'added to a live playlist by another node', values: added, unit: 'ms', goal: { worst: 100 } },
    ]
    return figures.filter(({ values }) => values.length > 0)
  }, aheadMs)
}
