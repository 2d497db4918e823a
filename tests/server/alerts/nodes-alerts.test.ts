import { expect, onTestFinished, test } from 'vitest'
import { createAlertStore } from '../../../server/alerts/alert-store.ts'
import { createDeliveryStore } from '../../../server/alerts/delivery-store.ts'
import { createAlertEngine } from '../../../server/alerts/engine.ts'
import { faultOf, nodeSubject, type SiteSnapshot } from '../../../server/alerts/happenings.ts'
import { alertSteps } from '../../../server/alerts/tables.ts'
import { memoryStore } from '../fixtures/memory-store.ts'

test('the leader sends alerts, those of other nodes too; the next one repeats nothing', async () => {
  const store = await memoryStore(new Map([['alerts', alertSteps]]))
  const alerts = createAlertStore(store)
  const to = [{ kind: 'mail' as const, address: 'a@b.example', secret: '' }]
  await alerts.add(
    { name: 'All', on: ['node.lost', 'event'], streams: [], labels: [], quietHours: null, quietMinutes: 0, to },
    0,
  )
  let time = 1_000_000
  let leader = 'a'
  const subject = nodeSubject('c')
  const snapshot: SiteSnapshot = {
    failing: new Map([[subject, { subject, ...faultOf(subject), time }]]),
    stateOf: () => 'well',
    nameOf: (uid) => uid,
  }
  const sent: string[] = []
  const engineOf = (id: string) => {
    const engine = createAlertEngine({
      alerts,
      deliveries: createDeliveryStore(store),
      takeSnapshot: async () => snapshot,
      send: async ({ happenings }) => {
        sent.push(...happenings.map(({ on, nodeName = '', label = '' }) => `${id}: ${on} ${nodeName}${label}`))
        return { isSent: true }
      },
      cluster: { isShared: true, isLeader: () => leader === id },
      isDatabaseAway: () => false,
      now: () => time,
    })
    onTestFinished(engine.stop)
    return engine
  }
  const engines = [engineOf('a'), engineOf('b')]
  const check = async (): Promise<void> => {
    for (const engine of engines) {
      await engine.check()
      await engine.settled()
    }
    time += 10_000
  }
  await check()
  engines[1]?.handleEvents([{ streamId: 'door', streamName: 'Door', label: 'person', time }])
  await check()
  await check()
  expect(sent).toEqual(['a: node.lost c', 'a: event person'])
  leader = 'b'
  await check()
  await check()
  expect(sent).toHaveLength(2)
})

test('a node that only makes deliveries fails none of them, however many it has made', async () => {
  const store = await memoryStore(new Map([['alerts', alertSteps]]))
  const alerts = createAlertStore(store)
  const to = [{ kind: 'mail' as const, address: 'a@b.example', secret: '' }]
  await alerts.add({ name: 'All', on: ['event'], streams: [], labels: [], quietHours: null, quietMinutes: 0, to }, 0)
  let time = 1_000_000
  const sent: string[] = []
  const deliveries = createDeliveryStore(store)
  const engineOf = (isLeader: boolean) => {
    const engine = createAlertEngine({
      alerts,
      deliveries,
      takeSnapshot: async () => ({ failing: new Map(), stateOf: () => 'well', nameOf: (uid) => uid }),
      send: async ({ happenings }) => {
        sent.push(...happenings.map(({ label = '' }) => label))
        return { isSent: true }
      },
      cluster: { isShared: true, isLeader: () => isLeader },
      isDatabaseAway: () => false,
      now: () => time,
    })
    onTestFinished(engine.stop)
    return engine
  }
  const [leader, other] = [engineOf(true), engineOf(false)]
  const labels = Array.from({ length: 105 }, (_, index) => `person ${index}`)
  await other.check()
  for (const label of labels) {
    other.handleEvents([{ streamId: 'door', streamName: 'Door', label, time }])
    for (const engine of [other, leader]) {
      await engine.check()
      await engine.settled()
    }
    time += 2000
  }
  expect(sent).toEqual(labels)
  const { items, total } = await deliveries.page(1)
  expect([total, new Set(items.map(({ status }) => status))]).toEqual([105, new Set(['sent'])])
  expect((await deliveries.page(3)).items.map(({ status, reason }) => [status, reason])).toEqual(
    Array.from({ length: 5 }, () => ['sent', '']),
  )
})
