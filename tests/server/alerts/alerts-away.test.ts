import { expect, onTestFinished, test } from 'vitest'
import { createAlertStore } from '../../../server/alerts/alert-store.ts'
import { createDeliveryStore } from '../../../server/alerts/delivery-store.ts'
import { createAlertEngine } from '../../../server/alerts/engine.ts'
import { faultOf, subjectOf, type Condition } from '../../../server/alerts/happenings.ts'
import { alertSteps } from '../../../server/alerts/tables.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { memoryStore } from '../fixtures/memory-store.ts'

/** How long PostgreSQL is waited for that answers no packet. */
const connectMs = 5000
const to = ['a@b.example', 'c@d.example'].map((address) => ({ kind: 'mail' as const, address, secret: '' }))
const rule = { name: 'All', on: ['stream.failed' as const, 'node.lost' as const, 'event' as const], to }
const labels = ['person', 'car']

/** Two alerts; `loseDatabase`: each call to it takes `connectMs` of the test's clock, and fails. */
const open = async () => {
  const store = await memoryStore(new Map([['alerts', alertSteps]]))
  const alerts = createAlertStore(store)
  const deliveries = createDeliveryStore(store)
  for (const label of labels)
    await alerts.add({ ...rule, streams: [], labels: [label], quietHours: null, quietMinutes: 0 }, 0)
  let time = 1_000_000
  let isAway = false
  const failing = new Map<string, Condition>()
  const sent: { on: string[]; at: number }[] = []
  const engine = createAlertEngine({
    alerts,
    deliveries,
    takeSnapshot: async () => ({ failing, stateOf: () => 'well', nameOf: (uid) => uid }),
    send: async ({ happenings }) => {
      sent.push({ on: happenings.map(({ on }) => on), at: time })
      return { isSent: true }
    },
    cluster: { isShared: true, isLeader: () => !isAway },
    isDatabaseAway: () => isAway,
    now: () => time,
  })
  onTestFinished(engine.stop)
  const there = { ...store }
  const hang = () => {
    time += connectMs
    isAway = true
    return Promise.reject(new StoreAway('it does not answer'))
  }
  return {
    engine,
    alerts,
    deliveries,
    sent,
    now: () => time,
    failWithDatabase: (...uids: string[]) => {
      failing.set('database', { subject: 'database', ...faultOf('database'), time })
      for (const streamId of uids) {
        const camera = { streamId, streamName: streamId, reason: 'EHOSTUNREACH' }
        failing.set(subjectOf(streamId), { subject: subjectOf(streamId), on: 'stream.failed', time, ...camera })
      }
    },
    see: () => {
      const events = labels.map((label) => ({ streamId: 'door', streamName: 'Door', label, time }))
      engine.handleEvents(events)
    },
    loseDatabase: () => Object.assign(store, { get: hang, all: hang, run: hang, transaction: hang }),
    /** It counts as away until a write succeeds. */
    restoreDatabase: () => {
      const run: typeof store.run = async (...statement) => {
        const reply = await there.run(...statement)
        isAway = false
        return reply
      }
      Object.assign(store, there, { run })
    },
    check: async () => {
      await engine.check()
      await engine.settled()
      time += 2000
    },
  }
}

test('cameras that fail with a database that does not answer are reported within half a minute', async () => {
  const { alerts, deliveries, sent, now, failWithDatabase, see, loseDatabase, restoreDatabase, check } = await open()
  await check()
  loseDatabase()
  const lostAt = now()
  const cameras = Array.from({ length: 64 }, (_, index) => `c${index}`)
  failWithDatabase(...cameras)
  see()
  while (now() - lostAt < 60_000) await check()
  const reported = ['node.lost', ...cameras.map(() => 'stream.failed'), 'event']
  expect(sent.map(({ on }) => on)).toEqual(Array.from({ length: 4 }, () => reported))
  expect(Math.max(...sent.map(({ at }) => at - lostAt))).toBeLessThan(30_000)

  restoreDatabase()
  await check()
  expect(sent).toHaveLength(4)
  const { items } = await deliveries.page(1)
  expect(items.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent', 'sent'])
  expect([...(await alerts.memories()).values()].map(({ size }) => size)).toEqual([66, 66])
})
