import { createActor, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { type NotificationsEvent, notificationsMachine } from './notifications.machine.ts'

function start() {
  const clock = new SimulatedClock()
  const actor = createActor(notificationsMachine, { clock }).start()
  const error = (code: string, more: { key?: string; values?: Record<string, string> } = {}) =>
    actor.send({ type: 'notification.raised', tone: 'error', code, ...more })
  return {
    clock,
    error,
    success: (code: string) => actor.send({ type: 'notification.raised', tone: 'success', code }),
    send: (event: NotificationsEvent) => actor.send(event),
    codes: () => actor.getSnapshot().context.shown.map(({ code }) => code),
    ids: () => actor.getSnapshot().context.shown.map(({ id }) => id),
    value: () => actor.getSnapshot().value,
  }
}

describe("while they aren't being read", () => {
  test('errors expire after 9 s, successes after 5 s', () => {
    const { clock, error, success, codes } = start()
    error('QuotaReached')
    success('profileUpdated')
    clock.increment(4999)
    expect(codes()).toEqual(['QuotaReached', 'profileUpdated'])
    clock.increment(1)
    expect(codes()).toEqual(['QuotaReached'])
    clock.increment(4000)
    expect(codes()).toEqual([])
  })

  test('a repeated one replaces the first and has its full time', () => {
    const { clock, error, codes } = start()
    error('QuotaReached')
    clock.increment(8000)
    error('QuotaReached')
    clock.increment(8999)
    expect(codes()).toEqual(['QuotaReached'])
    clock.increment(1)
    expect(codes()).toEqual([])
  })

  test('the same code with other values is another one', () => {
    const { error, codes } = start()
    error('resetUnknown', { values: { email: 'ann@example.org' } })
    error('resetUnknown', { values: { email: 'rob@example.org' } })
    expect(codes()).toEqual(['resetUnknown', 'resetUnknown'])
  })

  test('the fifth replaces the oldest', () => {
    const { error, codes } = start()
    for (const code of ['a', 'b', 'c', 'd', 'e']) error(code)
    expect(codes()).toEqual(['b', 'c', 'd', 'e'])
  })
})

describe('a keyed one', () => {
  test('stays until it is withdrawn', () => {
    const { clock, error, send, codes } = start()
    error('NoResponse', { key: 'server' })
    clock.increment(3_600_000)
    expect(codes()).toEqual(['NoResponse'])
    send({ type: 'notification.withdrawn', key: 'server' })
    expect(codes()).toEqual([])
  })

  test('is the only one with its key, and covers the same code without a key', () => {
    const { clock, error, ids, codes } = start()
    error('NoResponse', { key: 'server' })
    error('NoResponse')
    expect(ids()).toEqual(['server'])
    error('InternalServerError', { key: 'server' })
    expect({ ids: ids(), codes: codes() }).toEqual({ ids: ['server'], codes: ['InternalServerError'] })
    clock.increment(60_000)
    expect(ids()).toEqual(['server'])
  })

  test('stays when there are too many: the oldest one that would expire makes room', () => {
    const { error, codes } = start()
    error('NoResponse', { key: 'server' })
    for (const code of ['a', 'b', 'c', 'd']) error(code)
    expect(codes()).toEqual(['NoResponse', 'b', 'c', 'd'])
    error('InternalServerError', { key: 'settings' })
    error('Forbidden', { key: 'stream' })
    error('Unavailable', { key: 'other' })
    error('e')
    expect(codes()).toEqual(['InternalServerError', 'Forbidden', 'Unavailable', 'e'])
  })

  test('withdrawing what is not there leaves the rest', () => {
    const { error, send, codes } = start()
    error('QuotaReached')
    send({ type: 'notification.withdrawn', key: 'server' })
    expect(codes()).toEqual(['QuotaReached'])
  })
})

test('errors are withdrawn together, but not what has a key, nor what succeeded', () => {
  const { error, success, send, codes } = start()
  error('AuthorizationFailed')
  error('NoResponse', { key: 'server' })
  success('passwordChanged')
  send({ type: 'errors.withdrawn' })
  expect(codes()).toEqual(['NoResponse', 'passwordChanged'])
})

describe('while they are read', () => {
  test('all stay, those raised meanwhile too, and each has its full time afterwards', () => {
    const { clock, error, send, codes } = start()
    error('a')
    clock.increment(8000)
    send({ type: 'reading.started' })
    clock.increment(60_000)
    error('b')
    clock.increment(60_000)
    expect(codes()).toEqual(['a', 'b'])
    send({ type: 'reading.ended' })
    clock.increment(8999)
    expect(codes()).toEqual(['a', 'b'])
    clock.increment(1)
    expect(codes()).toEqual([])
  })

  test('closing the last one ends the reading, as removing its button causes no blur event', () => {
    const { clock, error, send, value, codes, ids } = start()
    error('a')
    send({ type: 'reading.started' })
    send({ type: 'notification.dismissed', id: ids()[0] ?? '' })
    expect({ value: value(), codes: codes() }).toEqual({ value: 'unread', codes: [] })
    error('b')
    clock.increment(9000)
    expect(codes()).toEqual([])
  })
})

test('every edge of the chart is walked', () => {
  const events = {
    'notification.raised': [
      { type: 'notification.raised', tone: 'error', code: 'QuotaReached' },
      { type: 'notification.raised', tone: 'error', code: 'NoResponse', key: 'server' },
    ],
    'notification.withdrawn': [{ type: 'notification.withdrawn', key: 'server' }],
    'errors.withdrawn': [{ type: 'errors.withdrawn' }],
    'notification.dismissed': [{ type: 'notification.dismissed', id: 'server' }],
    'notification.expired': [{ type: 'notification.expired', id: '1' }],
    'reading.started': [{ type: 'reading.started' }],
    'reading.ended': [{ type: 'reading.ended' }],
  } satisfies { [Type in NotificationsEvent['type']]: Extract<NotificationsEvent, { type: Type }>[] }
  const walked = walkEdges(notificationsMachine, {
    model: notificationsMachine,
    events: Object.values(events).flat(),
    name: ({ value, context }) => JSON.stringify([value, context['shown'].map(({ code }: { code: string }) => code)]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
