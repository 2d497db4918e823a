import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { alertTextOf } from '../../../server/alerts/alert-text.ts'
import { createGroup, type Memory } from '../../../server/alerts/grouping.ts'
import {
  diskSubject,
  faultOf,
  grouped,
  type Happening,
  type SiteSnapshot,
  type StoredAlert,
} from '../../../server/alerts/happenings.ts'
import { createSiteSnapshots } from '../../../server/alerts/site-snapshot.ts'
import type { Cluster, ClusterMember } from '../../../server/cluster/cluster.ts'
import type { ServerContext } from '../../../server/context.ts'
import type { Volume } from '../../../server/storage/volumes.ts'
import type { Site } from '../../../server/streams/site.ts'

const start = 1_000_000
const member = (id: string, change: Partial<ClusterMember> = {}): ClusterMember => ({
  id,
  name: id,
  url: `http://${id}`,
  version: '1',
  isAvailable: true,
  isLost: false,
  isDrained: false,
  lastBeatAt: start,
  facts: { diskUsedPercent: 10 },
  ...change,
})

type VolumeState = Pick<Volume, 'path' | 'state' | 'isBucket'>
const missing = (path: string): VolumeState => ({ path, state: 'missing', isBucket: false })
const bucket = 's3://site/archive'

/**
 * The snapshot that a node takes, and the facts that it reports. Its own disk counts as full from `diskWarningPercent`
 * on, whatever it reported.
 */
const takenBy = async (
  nodeId: string,
  nodes: readonly ClusterMember[],
  isShared = true,
  diskWarningPercent = 99,
  volumes: readonly VolumeState[] = [],
  failedStreams: readonly string[] = [],
) => {
  const factSources: Cluster['factSources'] = []
  const diskFailureListeners: Site['diskFailureListeners'] = []
  const context: ServerContext = Object.assign(Object.create(null), {
    store: { isAway: () => false },
    settings: { diskWarningPercent },
    cluster: { nodeId, isShared, nodes: () => nodes, isAvailable: () => true, factSources },
    dataDir: tmpdir(),
    now: () => start,
  })
  const site: Site = Object.assign(Object.create(null), {
    store: { all: () => failedStreams.map((uid) => ({ uid, name: uid })), find: () => undefined },
    status: () => ({ status: 'failed', failureReason: 'EHOSTUNREACH' }),
    volumes: { all: () => volumes },
    diskFailureListeners,
  })
  return {
    ...(await createSiteSnapshots(context, site)()),
    facts: (): unknown => Object.assign({}, ...factSources.map((source) => source())),
    failToWrite: () => diskFailureListeners.forEach((listener) => listener()),
  }
}

const alert: StoredAlert = {
  id: '1',
  name: 'Disks',
  on: ['disk.full'],
  streams: [],
  labels: [],
  quietMinutes: 0,
  to: [],
  quietHours: null,
}
/** What the alert has to report at once, and when nothing new has come for ten seconds. */
const duesOf = (snapshot: SiteSnapshot, memory: Memory = new Map()) => {
  const group = createGroup()
  return [start, start + 10_000].map((now) => group.takeDue(alert, memory, snapshot, now))
}

test('whichever node leads reports the full disk of another node', async () => {
  const nodes = [member('a'), member('b', { facts: { diskUsedPercent: 99 } }), member('c')]
  for (const leader of ['a', 'c']) {
    const { failing } = await takenBy(leader, nodes)
    expect(failing.get('disk:b')).toEqual({
      subject: 'disk:b',
      on: 'disk.full',
      reason: 'DISK_SPACE',
      nodeName: 'b',
      time: start,
    })
    expect([...failing.keys()].filter((subject) => subject !== diskSubject(leader))).toEqual(['disk:b'])
  }
})

test('a node measures its own disk; one server alone has no node in the subject', async () => {
  const nodes = [member('a', { facts: {} })]
  expect([...(await takenBy('a', nodes, true, 0)).failing.keys()]).toEqual(['disk:a'])
  expect([...(await takenBy('a', nodes, false, 0)).failing.keys()]).toEqual(['disk'])
})

test("a full disk's end is reported only where the node says so", async () => {
  const { stateOf, failing } = await takenBy('a', [
    member('a', { facts: {} }),
    member('b'),
    member('starting', { facts: {} }),
    member('lost', { isAvailable: false, isLost: true, facts: { diskUsedPercent: 99 } }),
    member('left', { isAvailable: false, facts: { diskUsedPercent: 99 } }),
  ])
  expect([...failing.keys()].filter((subject) => subject !== 'node:lost' && subject !== 'disk:a')).toEqual([])
  const ids = ['a', 'b', 'starting', 'lost', 'left', 'removed']
  expect(ids.map((id) => stateOf(diskSubject(id)))).toEqual(['well', 'well', 'unknown', 'unknown', 'unknown', 'gone'])
})

test("a full disk that an earlier version reported of a node isn't reported as over", async () => {
  const dueOf = async (isShared: boolean) => {
    const snapshot = await takenBy('a', [member('a')], isShared, 101)
    return duesOf(snapshot, new Map([['disk', { isFailing: true, time: start }]]))
  }
  const forgotten = { happenings: [], reported: new Map([['disk', undefined]]) }
  expect(await dueOf(true)).toEqual([forgotten, forgotten])
  const over = { on: 'disk.full', reason: 'DISK_SPACE', isOver: true, time: start + 10_000 }
  expect((await dueOf(false))[1]?.happenings).toEqual([over])
})

test('whichever node leads reports the missing volumes and failed writes of another node', async () => {
  const faults = { missingVolumes: ['/disks/1', '/disks/2'], isRecordingFailing: true }
  const nodes = [member('a'), member('b', { facts: faults }), member('c')]
  for (const leader of ['a', 'c']) {
    const { failing } = await takenBy(leader, nodes, true, 101, [missing('/disks/1')])
    const own = `volume:${leader}:/disks/1`
    const ofOther = ['recording:b', 'volume:b:/disks/1', 'volume:b:/disks/2']
    expect([...failing.keys()].toSorted()).toEqual([...ofOther, own].toSorted())
    const fault = { on: 'disk.full', nodeName: 'b', time: start }
    expect(failing.get('recording:b')).toEqual({ ...fault, subject: 'recording:b', reason: 'NOT_RECORDED' })
    const volume = { subject: 'volume:b:/disks/2', reason: 'VOLUME_AWAY', volume: '/disks/2' }
    expect(failing.get('volume:b:/disks/2')).toEqual({ ...fault, ...volume })
  }
})

test('a node reports missing folders and failed writes with its beats; the shared bucket has no node', async () => {
  const volumes = [missing('/disks/1'), { ...missing('/disks/2'), state: 'there' as const }]
  const away: VolumeState = { path: bucket, state: 'away', isBucket: true }
  const { facts, failToWrite, failing } = await takenBy('a', [member('a')], true, 101, [...volumes, away])
  const paths = ['/disks/1', '/disks/2']
  expect(facts()).toEqual({ volumes: paths, missingVolumes: ['/disks/1'], isRecordingFailing: false })
  failToWrite()
  expect(facts()).toEqual({ volumes: paths, missingVolumes: ['/disks/1'], isRecordingFailing: true })
  expect([...failing.keys()]).toEqual(['volume:a:/disks/1', `volume:${bucket}`])
  expect(failing.get(`volume:${bucket}`)).toMatchObject({ reason: 'VOLUME_AWAY', volume: bucket })
  const many = Array.from({ length: 200 }, (_, index) => missing(`/${index}${'x'.repeat(5000)}`))
  expect(JSON.stringify((await takenBy('a', [member('a')], true, 101, many)).facts()).length).toBeLessThan(50_000)
})

test('the end of missing volumes and failed writes is reported only where the node says so', async () => {
  const well = { missingVolumes: [], isRecordingFailing: false }
  const nodes = [
    member('a'),
    member('b', { facts: well }),
    member('forgot', { facts: { ...well, volumes: ['/disks/2'] } }),
    member('older'),
    member('lost', { isAvailable: false, isLost: true, facts: well }),
  ]
  const { stateOf } = await takenBy('a', nodes, true, 101, [{ path: bucket, state: 'there', isBucket: true }])
  const statesOf = (id: string) => [stateOf(`recording:${id}`), stateOf(`volume:${id}:/disks/1`)]
  expect(['a', 'b', 'forgot', 'older', 'lost', 'removed'].map(statesOf)).toEqual([
    ['well', 'well'],
    ['well', 'well'],
    ['well', 'gone'],
    ['unknown', 'unknown'],
    ['unknown', 'unknown'],
    ['gone', 'gone'],
  ])
  expect([stateOf(`volume:${bucket}`), stateOf('volume:s3://other')]).toEqual(['well', 'gone'])
  // What an earlier version reported, without a node.
  expect([stateOf('recording'), stateOf('volume:/disks/1')]).toEqual(['gone', 'gone'])
})

test('one server alone has no node in its subjects, and forgets volumes that it no longer has', async () => {
  const { failing, stateOf, facts } = await takenBy('a', [], false, 101, [missing('/disks/1')])
  expect([...failing.keys()]).toEqual(['volume:/disks/1'])
  expect(['recording', 'volume:/disks/1', 'volume:/disks/2'].map(stateOf)).toEqual(['well', 'well', 'gone'])
  expect(facts()).toEqual({})
})

test('an alert names the node of a full disk', () => {
  const full: Happening = { ...faultOf(diskSubject('b')), time: start }
  const text = (language: string, happening: Happening) =>
    alertTextOf({ alert: 'Disks', total: 1, happenings: [happening] }, { title: 'Site', language }).subject
  expect([
    text('en', full),
    text('en', { ...full, isOver: true }),
    text('ru', full),
    text('ru', { ...full, isOver: true }),
    text('en', { ...faultOf('disk'), time: start }),
  ]).toEqual([
    'Site: Disk problem on node b',
    'Site: Disk problem on node b resolved',
    'Site: Проблема с диском узла b',
    'Site: Проблема с диском узла b устранена',
    'Site: Disk problem',
  ])
})

test('a mail names each missing volume, and the one that is back', async () => {
  const happeningsOf = async (volumes: readonly VolumeState[], memory?: Memory) =>
    grouped(duesOf(await takenBy('a', [], false, 101, volumes), memory)[1]?.happenings ?? [])
  const textOf = (language: string, happenings: readonly Happening[]) =>
    alertTextOf({ alert: 'Disks', total: happenings.length, happenings }, { title: 'Site', language })
  const lost = await happeningsOf([missing('/disks/1'), missing('/disks/2')])
  const [first = '', second = ''] = textOf('en', lost).text.split('\n')
  expect(first).toContain("Disk problem: /disks/1 (a volume of the archive is missing or can't be written)")
  expect(second).toContain("Disk problem: /disks/2 (a volume of the archive is missing or can't be written)")
  const memory = new Map([['volume:/disks/1', { isFailing: true, time: start }]])
  const back = await happeningsOf([{ ...missing('/disks/1'), state: 'there' }], memory)
  expect(textOf('en', back).subject).toBe('Site: Disk problem resolved: /disks/1')
  expect(textOf('ru', back).subject).toBe('Site: Проблема с диском устранена: /disks/1')
})

test('a mail names a lost node, however many cameras fail with it', async () => {
  const cameras = Array.from({ length: 150 }, (_, index) => `c${index}`)
  const nodes = [member('a'), member('b', { isAvailable: false, isLost: true })]
  const { failing } = await takenBy('a', nodes, true, 101, [], cameras)
  const happenings = [...failing.values()].slice(0, 100)
  const report = { alert: 'All', total: failing.size, happenings }
  const { subject, text } = alertTextOf(report, { title: 'Site', language: 'en' })
  expect(subject).toBe('Site: Node b is not available, 99 cameras failed, … and 51 more')
  expect(text.split('\n')[0]).toContain('Node b is not available')
})
