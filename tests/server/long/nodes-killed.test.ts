import { expect, onTestFinished, test, vi } from 'vitest'
import { lossesOf } from '../../../bench/cluster/losses.ts'
import { watchTenures } from '../../../bench/cluster/bookkeeping.ts'
import { administratorEnvironment, openNodes } from '../../../bench/cluster/nodes.ts'
import { recordedTwice } from '../../../bench/cluster/overlaps.ts'
import { addCameras, gapsBetween, siteCamera, siteEnvironment } from '../../../bench/site/recording.ts'
import { startCameras } from '../../../bench/site/rtsp-cameras.ts'
import { openSite } from '../../../scripts/nodes.ts'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { hasS3 } from '../../../scripts/s3.ts'
import { patience } from '../../fixtures/patience.ts'

/** In front of the kill and behind the take-over. */
const recordedMs = 6000
const picture = { ...siteCamera, size: '320x180', keyframeEvery: 25, bitsPerSecond: 300_000, seconds: 4 }

test.runIf(hasPostgres() && hasS3())(
  'the camera of a node that is killed with all its processes goes on at a node whose clock is 30 s ahead',
  async () => {
    const cameras = await startCameras(picture)
    onTestFinished(cameras.stop)
    const site = await openSite({ ...administratorEnvironment, ...siteEnvironment, DEMO: '0' })
    onTestFinished(site.remove)
    const nodes = await openNodes(site, [0, 30_000])
    const [killed, other] = nodes
    if (killed === undefined || other === undefined) throw new Error('no nodes')
    const uids: string[] = []
    await addCameras({ cameras, ask: other.ask }, uids, 1)
    const [uid = ''] = uids
    await other.ask('POST', `/v1/system/cluster/stream/${uid}/pin`, { nodeId: killed.id })
    const runsOn = (id: string) => async () =>
      (await other.placement()).some(({ nodeId, status }) => nodeId === id && status === 'running')
    const gaps = async (from: number, until: number) => gapsBetween(other, uid, from, until)
    await vi.waitUntil(runsOn(killed.id), patience)
    const from = Date.now()
    await vi.waitUntil(async () => (await gaps(from, from + recordedMs)).length === 0, patience)
    const tenures = await watchTenures(site)

    const at = Date.now()
    killed.signal('SIGKILL')
    await vi.waitUntil(runsOn(other.id), patience)
    const taken = Date.now()
    await vi.waitUntil(async () => (await gaps(taken, taken + recordedMs)).length === 0, patience)
    await other.ask('POST', `/v1/system/cluster/stream/${uid}/pin`, { nodeId: '' })
    await killed.restart()
    const fault = { kind: 'kill', nodeId: killed.id, at, seconds: (taken - at) / 1000 } as const
    const found = await tenures.stop()
    const losses = async () => lossesOf(await gaps(from, taken), [fault], found, 1)
    await vi.waitUntil(async () => (await losses()).beyond === 0, patience)
    expect(await recordedTwice(other.ask, uid, from, taken)).toBe(0)
  },
  240_000,
)
