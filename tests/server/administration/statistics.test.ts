import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createGauge, createOverload, sumNetwork } from '../../../server/administration/host-load.ts'
import { createSampler, createSampleStore, type Sample } from '../../../server/administration/samples.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { at, start, startServer } from '../fixtures/harness.ts'
import { schema } from '../../../server/schema.ts'

const sample = (cpu: number): Sample => ({
  cpu,
  memory: 1,
  disk: 2,
  received: null,
  sent: 3,
  running: 4,
  pending: 5,
  paused: 6,
  failed: 7,
  viewers: 8,
  recorded: 9.999,
})
const hour = 3_600_000

describe('the series', () => {
  test('are what was measured, each with its unit, for administrators', async () => {
    const { ask, addUser, signIn, context } = await startServer()
    await addUser('ann', true)
    await addUser('bob')
    const cookie = await signIn('ann')
    const store = await createSampleStore(context.store, '')
    await store.add(start, sample(10))
    await store.add(start + 15_000, sample(20.123))
    const ends = `from=${at(0)}&to=${at(hour)}`
    const { status, body } = await ask('GET', `/v1/admin/stats?${ends}`, { cookie })
    const same = (name: string, unit: string, value: number | null) => ({
      name,
      unit,
      points: [
        [at(0), value],
        [at(15_000), value],
      ],
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        series: [
          {
            name: 'CPU',
            unit: 'percent',
            points: [
              [at(0), 10],
              [at(15_000), 20.12],
            ],
          },
          same('Memory', 'bytes', 1),
          same('Disk', 'bytes', 2),
          same('Network received', 'bytes/s', null),
          same('Network sent', 'bytes/s', 3),
          same('Streams running', '', 4),
          same('Streams pending', '', 5),
          same('Streams paused', '', 6),
          same('Streams failed', '', 7),
          same('Viewers', '', 8),
          same('Recorded', 'bytes/s', 10),
        ],
      },
    })
    expect((await ask('GET', `/v1/admin/stats?${ends}`, { cookie: await signIn('bob') })).status).toBe(403)
    const wrong = await ask('GET', `/v1/admin/stats?from=${at(0)}&to=${at(0)}`, { cookie })
    expect({ status: wrong.status, body: wrong.body }).toEqual({
      status: 400,
      body: { code: 'ValidationError', details: { to: 'Must be after the start' } },
    })
    expect((await ask('GET', `/v1/admin/stats?from=${at(-hour)}&to=${at(0)}`, { cookie })).body).toEqual({ series: [] })
  })

  test('are thinned to means, about 600 points, and keep a week', async () => {
    const store = await createSampleStore(await memoryStore(schema), '')
    const week = 7 * 24 * hour
    for (let time = start - 2 * hour; time <= start + week; time += 60_000)
      await store.add(time, sample((time / 60_000) % 2))
    const [cpu] = await store.series(start - 2 * hour, start + week + 1)
    const points = cpu?.points ?? []
    expect(points.length).toBeLessThanOrEqual(601)
    expect(points.length).toBeGreaterThan(580)
    expect(points[0]?.[0]).toBeGreaterThan(start - 0.5 * hour)
    expect(points.slice(1, -1).every(([, value]) => value !== null && value > 0.4 && value < 0.6)).toBe(true)
  })

  test('have a hole where nothing was measured', async () => {
    const store = await createSampleStore(await memoryStore(schema), '')
    for (const time of [0, 15_000, 300_000]) await store.add(start + time, sample(1))
    expect((await store.series(start, start + hour))[0]?.points).toEqual([
      [start, 1],
      [start + 15_000, 1],
      [start + 30_000, null],
      [start + 300_000, 1],
    ])
  })
})

test('a sample has rates since the one before, whatever the clock of the system says', async () => {
  const { context, wait } = await startServer()
  const now = vi.spyOn(performance, 'now').mockReturnValue(5000)
  onTestFinished(() => void now.mockRestore())
  let recorded = 1000
  context.streams = {
    ...context.streams,
    count: () => ({ running: 3, pending: 2, paused: 1, failed: 0 }),
    viewers: () => 5,
    recordedBytes: () => recorded,
  }
  const take = createSampler(context)
  const number = expect.any(Number)
  const counts = { cpu: number, memory: number, disk: number, running: 3, pending: 2, paused: 1, failed: 0, viewers: 5 }
  expect(await take()).toEqual({ ...counts, received: null, sent: null, recorded: null })
  wait(-3_600_000)
  now.mockReturnValue(15_000)
  recorded = 51_000
  expect(await take()).toMatchObject({ ...counts, recorded: 5000 })
})

test('an overload counts from when there is a limit', () => {
  let maxPercent = 0
  const { add, overloadedSamples } = createOverload(() => maxPercent)
  for (let sample = 0; sample < 9; sample += 1) add(100)
  maxPercent = 95
  expect(overloadedSamples()).toBe(0)
  const counted = [95, 95, 95, 95, 100, 94, 95].map((percent) => {
    add(percent)
    return overloadedSamples()
  })
  expect(counted).toEqual([0, 0, 0, 1, 2, 0, 0])
})

test('every sample counts for the warning of an overload', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const add = vi.fn()
  await startServer({ overload: { add, overloadedSamples: () => 0 } })
  vi.advanceTimersByTime(15_000)
  await vi.waitFor(() => expect(add).toHaveBeenCalledWith(expect.any(Number)))
})

test('a gauge is measured anew at most once a second, whoever reads it', () => {
  let now = 5000
  let measured = 0
  const gauge = createGauge(
    () => (measured += 10),
    () => now,
  )
  expect([gauge(), gauge()]).toEqual([10, 10])
  now += 999
  expect(gauge()).toBe(10)
  now += 1
  expect([gauge(), gauge()]).toEqual([20, 20])
})

test('the load of the processors is the same in every call', async () => {
  const { ask, addUser, signIn } = await startServer()
  await addUser('ann', true)
  const cookie = await signIn('ann')
  const from = performance.now() + 1000
  vi.spyOn(performance, 'now').mockReturnValue(from)
  onTestFinished(() => void vi.restoreAllMocks())
  const asked: unknown[] = []
  for (const url of ['/v1/system/stats', '/v1/system/stats', '/v1/system/cluster/node/local', '/v1/system/stats']) {
    asked.push(Reflect.get(Object((await ask('GET', url, { cookie })).body), 'cpuPercent'))
  }
  expect(asked).toEqual(asked.map(() => asked[0]))
  expect(asked[0]).toEqual(expect.any(Number))
})

test('the network is every interface but the loopback', () => {
  const text = [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed',
    '    lo: 9000 1 0 0 0 0 0 0 9000 1 0 0 0 0 0 0',
    '  eth0: 1000 1 0 0 0 0 0 0 200 1 0 0 0 0 0 0',
    ' wlan0:5 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0',
  ].join('\n')
  expect(sumNetwork(text)).toEqual({ received: 1005, sent: 207 })
})
