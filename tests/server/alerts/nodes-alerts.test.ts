import { expect, onTestFinished, test } from 'vitest'
import { createAlertStore } from '../../../server/alerts/alert-store.ts'
import { createDeliveryStore } from '../../../server/alerts/delivery-store.ts'
import { createAlertEngine, type AlertEngine } from '../../../server/alerts/engine.ts'
import { faultOf, nodeSubject, type Condition, type StoredAlert } from '../../../server/alerts/happenings.ts'
import type { Outcome } from '../../../server/alerts/send.ts'
import { alertSteps } from '../../../server/alerts/tables.ts'
import { memoryStore } from '../fixtures/memory-store.ts'

/** The nodes of a site with one alert, and what each of them sent. `site`: its clock, its leader and its faults. */
const open = async (change: Partial<StoredAlert> = {}) => {
  const store = await memoryStore(new Map([['alerts', alertSteps]]))
  const alerts = createAlertStore(store)
  const deliveries = createDeliveryStore(store)
  const to = [{ kind: 'mail' as const, address: 'a@b.example', secret: '' }]
  const usual = { name: 'All', on: ['event' as const], streams: [], labels: [], quietHours: null, quietMinutes: 0, to }
  await alerts.add({ ...usual, ...change }, 0)
  const site = { time: 1_000_000, leader: 'a', failing: new Map<string, Condition>() }
  const sent: string[] = []
  const engines: AlertEngine[] = []
  const engineOf = (id: string, outcome: () => Promise<Outcome> = async () => ({ isSent: true })): AlertEngine => {
    const engine = createAlertEngine({
      alerts,
      deliveries,
      takeSnapshot: async () => ({ failing: site.failing, stateOf: () => 'well', nameOf: (uid) => uid }),
      send: ({ happenings }) => {
        sent.push(...happenings.map(({ on, nodeName = '', label = '' }) => `${id}: ${on} ${nodeName}${label}`))
        return outcome()
      },
      cluster: { isShared: true, isLeader: () => site.leader === id },
      isDatabaseAway: () => false,
      now: () => site.time,
    })
    engines.push(engine)
    onTestFinished(engine.stop)
    return engine
  }
  return {
    site,
    sent,
    deliveries,
    engineOf,
    /** `ms` pass, and then every node checks. */
    check: async (ms = 10_000): Promise<void> => {
      site.time += ms
      for (const engine of engines) {
        await engine.check()
        await engine.settled()
      }
    },
    /** These nodes get an event each of these labels. */
    see: (nodes: readonly AlertEngine[], ...labels: string[]): void => {
      const events = labels.map((label) => ({ streamId: 'door', streamName: 'Door', label, time: site.time }))
      for (const { handleEvents } of nodes) handleEvents(events)
    },
  }
}

test('the leader sends alerts, those of other nodes too; the next one repeats nothing', async () => {
  const { site, sent, engineOf, check, see } = await open({ on: ['node.lost', 'event'] })
  const subject = nodeSubject('c')
  site.failing.set(subject, { subject, ...faultOf(subject), time: site.time })
  engineOf('a')
  const b = engineOf('b')
  await check()
  see([b], 'person')
  await check()
  await check()
  expect(sent).toEqual(['a: node.lost c', 'a: event person'])
  site.leader = 'b'
  await check()
  await check()
  expect(sent).toHaveLength(2)
})

test('an event that several nodes see is reported once within the quiet time, by whichever node leads', async () => {
  const { site, sent, engineOf, check, see } = await open({ quietMinutes: 10 })
  const nodes = ['a', 'b', 'c'].map((id) => engineOf(id))
  await check()
  see(nodes, 'person')
  await check()
  await check()
  expect(sent).toEqual(['a: event person'])
  site.leader = 'b'
  await check()
  see(nodes, 'person', 'car')
  await check()
  await check()
  expect(sent).toEqual(['a: event person', 'b: event car'])
  site.time += 10 * 60_000
  see(nodes, 'person')
  await check()
  await check()
  expect(sent).toEqual(['a: event person', 'b: event car', 'b: event person'])
})

test('an attempt of the leader before that ends last does not make its message wait again', async () => {
  const { site, sent, deliveries, engineOf, see } = await open()
  const ending = Promise.withResolvers<Outcome>()
  const a = engineOf('a', () => ending.promise)
  const b = engineOf('b')
  await a.check()
  see([a], 'person')
  site.time += 10_000
  await a.check()
  site.leader = 'b'
  await b.check()
  await b.settled()
  ending.resolve({ isSent: false, reason: 'TIMED_OUT', isFinal: false })
  await a.settled()
  site.time += 10_000
  await b.check()
  await b.settled()
  expect(sent).toEqual(['a: event person', 'b: event person'])
  expect((await deliveries.page(1)).items.map(({ status }) => status)).toEqual(['sent'])
})

test('events on a node that does not lead are one message, once nothing new comes for 8 s or after 30 s', async () => {
  const { site, deliveries, engineOf, check, see } = await open()
  site.leader = 'b'
  const other = engineOf('a')
  engineOf('b')
  await check()
  const messages = async () => (await deliveries.page(1)).items.map(({ happenings }) => happenings.length).toReversed()
  const seeEvery2s = async (count: number, from: string) => {
    for (let index = 0; index < count; index += 1) {
      see([other], `${from} ${index}`)
      await check(2000)
    }
  }
  await seeEvery2s(10, 'person')
  await check(4000)
  expect(await messages()).toEqual([])
  await check(2000)
  expect(await messages()).toEqual([10])
  await seeEvery2s(20, 'car')
  expect(await messages()).toEqual([10, 15])
  see([other], 'truck')
  await other.stop()
  expect(await messages()).toEqual([10, 15, 6])
})

test('a node that only makes deliveries fails none of them, however many it has made', async () => {
  const { site, sent, deliveries, engineOf, check, see } = await open()
  site.leader = 'b'
  const other = engineOf('a')
  engineOf('b')
  const labels = Array.from({ length: 105 }, (_, index) => `person ${index}`)
  await other.check()
  for (const label of labels) {
    see([other], label)
    await check()
  }
  expect(sent).toEqual(labels.map((label) => `b: event ${label}`))
  const { items, total } = await deliveries.page(1)
  expect([total, new Set(items.map(({ status }) => status))]).toEqual([105, new Set(['sent'])])
  expect((await deliveries.page(3)).items.map(({ status, reason }) => [status, reason])).toEqual(
    Array.from({ length: 5 }, () => ['sent', '']),
  )
})
