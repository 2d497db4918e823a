// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { settings } from '../fixtures/fake-server.ts'
import { at, expect, field, part, press, test, until, valueOf } from './console.tsx'

const time = '2026-11-21T08:00:00.000Z'
const beat = { lost: false, lastBeatTime: time, spoolBytes: 0, clockAheadSeconds: 0 }
const nodes = [
  { id: 'a', name: 'North', available: true, ...beat, spoolBytes: 48_200_000, handInLagSeconds: 62 },
  { id: 'b', name: 'South', available: true, drained: true, ...beat, clockAheadSeconds: -2.5 },
  {
    id: 'c',
    name: 'West',
    available: false,
    ...beat,
    lost: true,
    heldRecordings: [
      { streamId: 's1', name: 'Gate', bytes: 5_000_000, startTime: time, endTime: '2026-11-21T08:01:00.000Z' },
      { streamId: 's4', name: '', bytes: 1_000_000, startTime: time, endTime: '2026-11-21T08:02:00.000Z' },
    ],
  },
  { id: 'd', name: 'East', available: false, ...beat },
]
const streams = [
  { streamId: 's1', name: 'Gate', status: 'running', nodeId: 'a', since: time, reason: 'failover' },
  { streamId: 's2', name: 'Yard', status: 'failed', nodeId: 'b', since: time, reason: 'pinned', pinnedNodeId: 'b' },
  { streamId: 's3', status: 'running', nodeId: 'b', reason: 'moon', pinnedNodeId: 'c', nextNodeId: 'a' },
  { streamId: 's4', name: 'Dock', status: 'paused' },
]
const placement = { ...settings, clusterEnabled: true, nodeId: 'a', features: ['cluster', 'cluster-placement'] }

const rowsOf = (table: Awaited<ReturnType<typeof part>>) =>
  table.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))

test('several servers: what each node reports, what a drained one still hands over, which one can be removed', async ({
  server,
  visit,
}) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: placement })
  server.answer('GET /v1/system/cluster/nodes', { json: { items: nodes } })
  server.answer('GET /v1/system/cluster/streams', { json: { items: streams } })
  server.answer('DELETE /v1/system/cluster/node/c', {})
  await visit('/ui/administration/cluster')
  const texts = async (name: string) => {
    const node = await part('region', name)
    return [...node.getAllByRole('definition').map((fact) => fact.textContent), '|'].concat(
      node.getAllByRole('button').map((button) => button.textContent),
    )
  }
  const north = await texts('North')
  expect([north[0], ...north.slice(-4)]).toEqual(['Available', '48 MBthe oldest for 1 min 2 s', '0 sec', '|', 'Drain'])
  const south = await texts('South')
  expect([south[0], ...south.slice(-4)]).toEqual([
    'Draining2 streams to hand over',
    'nothing',
    '-2.5 sec',
    '|',
    'Start the node',
  ])
  const west = await texts('West')
  expect([west[0], ...west.slice(-2)]).toEqual([
    expect.stringMatching(/^Not respondinglast contact Nov 21, 2026/),
    'Drain',
    'Remove',
  ])
  const [east] = await texts('East')
  expect(east).toMatch(/^Stopped/)
  await press('button', 'Remove', await part('region', 'West'))
  const asked = await part('alertdialog', 'Remove West?')
  asked.getByText(/^Recordings stored only on its disks will be removed from the archive \(6 MB\)\./)
  expect(asked.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Gate: .*, 5 MB$/),
    expect.stringMatching(/^s4: .*, 1 MB$/),
  ])
  await press('button', 'Remove', asked)
  await until(() => expect(server.count('DELETE /v1/system/cluster/node/c')).toBe(1))
})

test('which node records each stream, since when and why; streams are moved, pinned and unpinned', async ({
  server,
  visit,
}) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: placement })
  server.answer('GET /v1/system/cluster/nodes', { json: { items: nodes } })
  server.answer('GET /v1/system/cluster/streams', { json: { items: streams } })
  for (const call of ['s2/move', 's2/pin', 's1/pin']) server.answer(`POST /v1/system/cluster/stream/${call}`, {})
  await visit('/ui/administration/cluster')
  const picture = await part('region', 'Streams by node')
  expect(picture.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'North 1 stream',
    'South 2 streams, 1 failed',
    'West 0 streams',
    'East 0 streams',
    'No node 1 stream',
  ])
  const since = expect.stringContaining('Nov 21, 2026')
  const all = await part('table', 'Streams of all nodes')
  expect(rowsOf(all)).toEqual([
    ['Stream', 'Status', 'Node', 'Since', 'Reason', 'Actions'],
    ['Gate', 'Running', 'North', since, 'taken over from a node that stopped responding', ''],
    ['Yard', 'Failed', 'Southpinned', since, 'pinned to this node', ''],
    ['s3', 'Running', 'Southmoving to Northpinned to West', '–', 'moon', ''],
    ['Dock', 'Paused', 'none', '–', '', ''],
  ])
  await press('button', /^South/, picture)
  const south = await part('table', 'Streams of South')
  expect(rowsOf(south).map(([name]) => name)).toEqual(['Stream', 'Yard', 's3'])

  await press('button', 'Move or pin Yard')
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Move to North'])
  await press('menuitem', 'Move to North')
  await until(() =>
    expect(server.bodies).toContainEqual({ call: 'POST /v1/system/cluster/stream/s2/move', body: { nodeId: 'a' } }),
  )
  await press('button', 'Move or pin Yard')
  await press('menuitemradio', 'Not pinned')
  await until(() =>
    expect(server.bodies).toContainEqual({ call: 'POST /v1/system/cluster/stream/s2/pin', body: { nodeId: '' } }),
  )
  await press('button', /^South/, picture)
  await press('button', 'Move or pin Gate')
  await press('menuitemradio', 'West')
  await until(() =>
    expect(server.bodies).toContainEqual({ call: 'POST /v1/system/cluster/stream/s1/pin', body: { nodeId: 'c' } }),
  )
})

test('charts are those of the node that is chosen', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: placement })
  server.answer('GET /v1/system/internal/ui/nodes', { json: { items: nodes } })
  server.answer('GET /v1/admin/stats', { json: { series: [] } })
  await visit('/ui/administration/stats')
  const chosen = await field('Charts of node')
  expect(valueOf(chosen)).toBe('a')
  const asked = () => server.calls.filter((call) => call.startsWith('GET /v1/admin/stats?')).at(-1)
  await until(() => expect(asked()).toMatch(/&node=a$/))
  fireEvent.change(chosen, { target: { value: 'b' } })
  await until(() => expect(asked()).toMatch(/&node=b$/))
  await at('/ui/administration/stats?hours=6&node=b')
})

test('audit entries name the node that wrote them', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: placement })
  const entry = { id: '1', time, login: 'ann', action: 'node.remove', target: 'c', name: '', ip: '', outcome: 'ok' }
  server.answer('GET /v1/admin/audit-logs', {
    json: {
      items: [
        { ...entry, node: 'a' },
        { ...entry, id: '2' },
      ],
      page: 1,
      pageSize: 50,
      total: 2,
    },
  })
  await visit('/ui/administration/audit-logs')
  const table = await part('table', 'Audit logs')
  expect(rowsOf(table).map((row) => row.at(-1))).toEqual(['Node', 'a', ''])
})

test('the info page says since when and why the node records the stream', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: placement })
  const gate = { uid: 'gate', name: 'Gate', status: 'running', meta: { canAdmin: true } }
  server.answer('GET /v1/stream/gate', {
    json: { ...gate, node: { id: 'b', available: true, since: time, reason: 'drained' } },
  })
  await visit('/ui/stream/gate/info')
  const facts = await part('region', 'Stream')
  await until(() => facts.getByText(/^since Nov 21, 2026.*: taken over from a drained node$/))
})
