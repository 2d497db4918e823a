import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAlertStore } from '../../../server/alerts/alert-store.ts'
import { createDeliveryStore } from '../../../server/alerts/delivery-store.ts'
import { createAlertEngine } from '../../../server/alerts/engine.ts'
import { alertSteps } from '../../../server/alerts/tables.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { createHeldCheck } from '../../fixtures/held-check.ts'
import { patience } from '../../fixtures/patience.ts'
import { memoryStore } from '../fixtures/memory-store.ts'

const to = [{ kind: 'mail' as const, address: 'a@b.example', secret: '' }]
const rule = { on: ['event' as const], streams: [], labels: [], quietMinutes: 0, quietHours: null, to }
const waiting = { happenings: [], total: 1, created: 1, status: 'waiting' as const, attempts: 1, next: 1, ended: 0 }

test.each(['list', 'memories'] as const)(
  'what waits at the start is sent, though the database was away when the alerts were read: %s',
  async (name) => {
    const store = await memoryStore(new Map([['alerts', alertSteps]]))
    const alerts = createAlertStore(store)
    const deliveries = createDeliveryStore(store)
    const { id: alert } = await alerts.add({ name: 'All', ...rule }, 0)
    await deliveries.save({
      id: 'd1',
      alert,
      name: 'All',
      kind: 'mail',
      address: 'a@b.example',
      reason: '',
      ...waiting,
    })
    vi.spyOn(alerts, name).mockRejectedValueOnce(new StoreAway('for a moment'))
    const sent: string[] = []
    const engine = createAlertEngine({
      alerts,
      deliveries,
      takeSnapshot: async () => ({ failing: new Map(), stateOf: () => 'well', nameOf: (uid) => uid }),
      send: async ({ id }) => {
        sent.push(id)
        return { isSent: true }
      },
      cluster: { isShared: false, isLeader: () => true },
      isDatabaseAway: () => false,
      now: () => 1000,
    })
    onTestFinished(engine.stop)
    await engine.start()
    await expect.poll(() => sent, patience).toEqual(['d1'])
    await engine.settled()
    expect((await deliveries.page(1)).items.map(({ status }) => status)).toEqual(['sent'])
  },
)

describe('while a check takes long', () => {
  /** An engine on a timer that the test moves; its second check waits for `checks.end`. */
  const openHeld = async () => {
    const store = await memoryStore(new Map([['alerts', alertSteps]]))
    const alerts = createAlertStore(store)
    await alerts.add({ name: 'All', ...rule }, 0)
    const checks = createHeldCheck()
    const engine = createAlertEngine({
      alerts,
      deliveries: createDeliveryStore(store),
      takeSnapshot: async () => {
        await checks.run()
        return { failing: new Map(), stateOf: () => 'well', nameOf: (uid) => uid }
      },
      send: async () => ({ isSent: true }),
      cluster: { isShared: false, isLeader: () => true },
      isDatabaseAway: () => false,
      now: () => 1000,
    })
    onTestFinished(engine.stop)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await engine.start()
    vi.advanceTimersByTime(2000)
    await expect.poll(() => checks.count, patience).toBe(2)
    return { engine, checks }
  }

  test('only one more waits', async () => {
    const { engine, checks } = await openHeld()
    vi.advanceTimersByTime(20_000)
    checks.end()
    await expect.poll(() => checks.count, patience).toBeGreaterThan(2)
    await engine.check()
    expect(checks.count).toBe(4)
  })

  test('none follows it once the engine is stopped', async () => {
    const { engine, checks } = await openHeld()
    const next = engine.check()
    const stopping = engine.stop()
    checks.end()
    await Promise.all([next, stopping])
    expect(checks.count).toBe(2)
  })
})
