import type { Screen } from './setup.ts'

const now = Date.parse('2026-11-26T08:30:00.000Z')
const before = (seconds: number) => new Date(now - seconds * 1000).toISOString()

const node = (id: string, facts: object) => ({
  id,
  name: id,
  address: `https://${id}.sightline.example:8443`,
  available: true,
  drained: false,
  version: '1.0.0',
  lost: false,
  lastBeatTime: before(1),
  spoolBytes: 182_000_000,
  handInLagSeconds: 58,
  clockAheadSeconds: 0.012,
  viewers: 3,
  ...facts,
})

const nodes = [
  node('north', { streams: 9, cpuPercent: 31, diskUsedPercent: 22 }),
  node('east', { streams: 11, cpuPercent: 94, diskUsedPercent: 36, clockAheadSeconds: -2.4 }),
  node('south', { streams: 3, cpuPercent: 12, diskUsedPercent: 91, drained: true }),
  node('west', {
    streams: 0,
    cpuPercent: 0,
    diskUsedPercent: 40,
    available: false,
    lost: true,
    lastBeatTime: before(3720),
    spoolBytes: 4_900_000_000,
    handInLagSeconds: 1210,
    heldRecordings: ['Gate', 'Yard', 'Warehouse'].map((name, index) => ({
      streamId: name,
      name,
      bytes: 1_400_000_000 + index * 90_000_000,
      startTime: before(4930),
      endTime: before(3721 + index),
    })),
  }),
]

const holders = ['north', 'east', 'south', 'north', 'east', 'north', 'east', 'east']
const reasons = ['placed', 'failover', 'balanced', 'pinned', 'drained', 'moved', 'restarted', 'failover']
const placed = Array.from({ length: 24 }, (_, index) => {
  const nodeId = index === 23 ? '' : (holders[index % holders.length] ?? '')
  return {
    streamId: `c${index}`,
    name: `Camera ${index + 1}`,
    status: index % 9 === 4 ? 'failed' : index % 11 === 3 ? 'paused' : 'running',
    nodeId,
    ...(nodeId === '' ? {} : { since: before(index * 7200) }),
    reason: nodeId === '' ? '' : (reasons[index % reasons.length] ?? ''),
    pinnedNodeId: index % 8 === 3 ? 'north' : '',
    nextNodeId: index === 2 ? 'north' : '',
  }
})

const overrides: NonNullable<Screen['overrides']> = {
  '/v1/system/internal/ui/settings': ({ features, ...rest }) => ({
    ...rest,
    clusterEnabled: true,
    nodeId: 'north',
    features: [...(Array.isArray(features) ? features : []), 'cluster', 'cluster-placement'],
  }),
  '/v1/system/cluster/nodes': { json: { items: nodes } },
  '/v1/system/cluster/streams': { json: { items: placed } },
}

const path = '/administration/cluster'

/** Several servers on one database. */
export const clusterScreen: Screen = { name: 'cluster-nodes', path, overrides }
export const furtherClusterScreens: readonly Screen[] = [
  {
    name: 'cluster-remove-held',
    path,
    overrides,
    act: async ({ page, press }) => {
      await press('Remove')
      await page.getByRole('alertdialog').waitFor()
    },
  },
  { name: 'cluster-nodes-table', path, overrides, act: ({ press }) => press('Table') },
  {
    name: 'cluster-streams',
    path,
    overrides,
    act: async ({ page, press }) => {
      await page.getByRole('button', { name: /^north/ }).click()
      await press('Move or pin {name}', { name: 'Camera 4' })
      await page.getByRole('menu').waitFor()
    },
  },
]
