import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { grouped } from '../../../server/alerts/happenings.ts'
import { isQuiet } from '../../../server/alerts/quiet-hours.ts'
import { hourMs } from '../../../server/durations.ts'
import { alertServer, receiver } from './alert-server.ts'
import { start } from '../fixtures/harness.ts'

/** On a Saturday, like the time of the test's clock. */
const period = { days: ['sat'], from: '09:00', to: '17:00' }
const hours = { timezone: 'UTC', summary: true, periods: [period] }
const both = ['stream.failed', 'stream.recovered']
const soon = 14_000
const end = start + 9 * hourMs

describe('quiet hours', () => {
  const berlin = (days: readonly ('sat' | 'sun' | 'fri')[], from: string, to: string) => ({
    timezone: 'Europe/Berlin',
    summary: true,
    periods: [{ days: [...days], from, to }],
  })
  /** Hours in which it is quiet, of the 72 from a day on. */
  const quietFrom = (day: string, quietHours: ReturnType<typeof berlin>) => {
    const first = Date.parse(`${day}T00:00:00Z`)
    const found = Array.from({ length: 72 }, (_, hour) => first + hour * hourMs).filter((at) => isQuiet(quietHours, at))
    return [found.length, ...[found[0], found.at(-1)].map((at) => new Date(at ?? 0).toISOString().slice(5, 13))]
  }

  test.each<[string, string, ReturnType<typeof berlin>, unknown[]]>([
    ['within a day', '2026-11-20', berlin(['sat'], '09:00', '17:00'), [8, '11-21T08', '11-21T15']],
    ['over midnight', '2026-11-20', berlin(['sat'], '22:00', '06:00'), [8, '11-21T21', '11-22T04']],
    ['over a midnight of 25 hours', '2026-10-23', berlin(['sat'], '22:00', '06:00'), [9, '10-24T20', '10-25T04']],
    ['over a midnight of 23 hours', '2026-03-27', berlin(['sat'], '22:00', '06:00'), [7, '03-28T21', '03-29T03']],
    ['a day of 25 hours', '2026-10-24', berlin(['sun'], '00:00', '00:00'), [25, '10-24T22', '10-25T22']],
    ['a day of 23 hours', '2026-03-28', berlin(['sun'], '00:00', '00:00'), [23, '03-28T23', '03-29T21']],
    ['two days in a row', '2026-11-20', berlin(['fri', 'sat'], '12:00', '12:00'), [48, '11-20T11', '11-22T10']],
  ])('last %s', (_, day, quietHours, expected) => {
    expect(quietFrom(day, quietHours)).toEqual(expected)
  })

  test('begin and end to the minute, and never in a zone that does not exist', () => {
    const quietHours = berlin(['sat'], '09:30', '17:00')
    const at = (time: string) => isQuiet(quietHours, Date.parse(`2026-11-21T${time}Z`))
    expect([at('08:29:59.999'), at('08:30:00'), at('15:59:59.999'), at('16:00:00')]).toEqual([false, true, true, false])
    expect([isQuiet(null, start), isQuiet({ ...quietHours, timezone: 'Mars/Base' }, start + hourMs)]).toEqual([
      false,
      false,
    ])
  })
})

test('of equal happenings the first remains, with their number', () => {
  const failed = { on: 'stream.failed', streamId: 'c1', reason: 'EHOSTUNREACH' } as const
  const event = { on: 'event', streamId: 'c1', label: 'car' } as const
  expect(
    grouped([
      { ...failed, time: 5 },
      { ...event, time: 4, count: 3 },
      { ...failed, time: 1 },
      { ...event, time: 2, count: 2 },
      { ...failed, time: 3, reason: 'HTTP_UNAUTHORIZED' },
    ]),
  ).toEqual([
    { ...failed, time: 1, count: 2 },
    { ...event, time: 2, count: 5 },
    { ...failed, time: 3, reason: 'HTTP_UNAUTHORIZED' },
  ])
})

const linesOf = ({ body }: { body: Record<string, unknown> }) => {
  const { items } = Object(body)
  return items.map(({ on, streamId, count }: Record<string, unknown>) =>
    [on, streamId, count].filter((part) => part !== undefined).join(' '),
  )
}

/** A server on which quiet hours have just begun. */
const quietServer = async (options: object = {}, quietHours: object = hours) => {
  const { address, calls } = await receiver()
  const server = await alertServer({ uids: ['c1', 'c2'], ...options })
  const id = await server.add({ name: 'Hook', on: both, to: [{ kind: 'webhook', address }], quietHours })
  server.wait(hourMs - 60_000)
  await server.pass(60_000)
  const past = async () => {
    server.wait(end - server.context.now() - 2000)
    await server.pass(2000)
  }
  return { ...server, id, calls, past }
}

test('at their end one message says what happened meanwhile, also after a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-quiet-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const { fail, pass, calls, deliveries, app, context } = await quietServer(
    { dataDir },
    { ...hours, periods: [{ ...period, from: '07:00' }] },
  )
  fail('c1')
  await pass(soon)
  fail()
  await pass(soon)
  fail('c1', 'c2')
  await pass(soon)
  expect([calls, await deliveries()]).toEqual([[], []])
  const stoppedAt = context.now()
  await app.close()
  const second = await alertServer({ dataDir, uids: ['c1', 'c2'] })
  second.fail('c1', 'c2')
  second.wait(stoppedAt - start)
  await second.pass(soon)
  second.wait(end - second.context.now() - 4000)
  await second.pass(2000)
  expect(calls).toEqual([])
  await second.pass(2000)
  expect(calls.map(linesOf)).toEqual([['stream.failed c1 2', 'stream.recovered c1', 'stream.failed c2']])
  await second.pass(60_000)
  expect(calls).toHaveLength(1)
})

test('without a summary they pass in silence, but for what still fails at their end', async () => {
  const { fail, pass, calls, past } = await quietServer({}, { ...hours, summary: false })
  fail('c1')
  await pass(60_000)
  fail('c2')
  await pass(60_000)
  await past()
  await pass(soon)
  expect(calls.map(linesOf)).toEqual([['stream.failed c2']])
})

test('without a summary what ends within them is not reported after them, and what fails again is', async () => {
  const { address, calls } = await receiver()
  const { add, fail, pass, wait, context } = await alertServer({ uids: ['c1', 'c2'] })
  const quietHours = { ...hours, summary: false }
  await add({ name: 'Hook', on: both, to: [{ kind: 'webhook', address }], quietHours })
  fail('c1')
  await pass(20_000)
  fail('c2')
  await pass(20_000)
  const before = calls.length
  wait(hourMs - 30_000)
  await pass(60_000)
  fail('c1')
  await pass(60_000)
  wait(end - context.now() - 2000)
  await pass(2000 + soon)
  expect(calls.slice(before).map(linesOf)).toEqual([['stream.failed c1']])
})

test('a message that was not accepted before is tried again after them, and a test is sent at once', async () => {
  const { address, calls } = await receiver(503)
  const { add, fail, pass, wait, ask, admin, context, deliveries } = await alertServer({ uids: ['c1'] })
  const id = await add({ name: 'Hook', on: both, to: [{ kind: 'webhook', address }], quietHours: hours })
  wait(hourMs - 12_000)
  fail('c1')
  await pass(12_000)
  expect([calls.length, await deliveries()]).toMatchObject([1, [{ status: 'waiting', attempts: 1 }]])
  await pass(60_000)
  expect(calls).toHaveLength(1)
  expect((await ask('POST', `/v1/alert/${id}/test`, { cookie: admin })).body).toMatchObject({ items: [{ sent: true }] })
  wait(end - context.now() - 2000)
  await pass(2000)
  expect([calls.length, await deliveries()]).toMatchObject([3, [{ status: 'sent', attempts: 2 }]])
})

test('they are part of the alert, checked at the edge, and removed by an empty list', async () => {
  const { ask, admin, add } = await alertServer()
  const draft = { name: 'Hook', on: ['node.lost'], to: [{ kind: 'mail', address: 'ann@example.org' }] }
  const { timezone, periods } = hours
  const id = await add({ ...draft, quietHours: { timezone, periods } })
  const patch = (quietHours: unknown) => ask('PATCH', `/v1/alert/${id}`, { cookie: admin, body: { quietHours } })
  expect((await ask('GET', '/v1/alerts', { cookie: admin })).body).toMatchObject({ items: [{ quietHours: hours }] })
  const bad: [object, string][] = [
    [{ ...hours, timezone: 'Mars/Base' }, 'quietHours.timezone'],
    [{ ...hours, timezone: '2026-11-21T08:00Z' }, 'quietHours.timezone'],
    [{ ...hours, periods: Array.from({ length: 8 }, () => period) }, 'quietHours.periods'],
    [{ ...hours, periods: [{ ...period, days: [] }] }, 'quietHours.periods.0.days'],
    [{ ...hours, periods: [{ ...period, days: ['someday'] }] }, 'quietHours.periods.0.days.0'],
    [{ ...hours, periods: [period, { ...period, to: '24:00' }] }, 'quietHours.periods.1.to'],
    [{ ...hours, periods: [{ ...period, from: '9:00' }] }, 'quietHours.periods.0.from'],
  ]
  for (const [quietHours, field] of bad)
    expect(await patch(quietHours)).toMatchObject({
      status: 400,
      body: { code: 'ValidationError', details: { [field]: expect.any(String) } },
    })
  expect((await patch({ ...hours, summary: false })).body).toMatchObject({ quietHours: { ...hours, summary: false } })
  expect((await patch({ periods: [] })).body).not.toHaveProperty('quietHours')
  const { body } = await ask('GET', '/v1/system/internal/ui/settings', { cookie: admin })
  expect(Object(body).features).toContain('alert-quiet-hours')
})
