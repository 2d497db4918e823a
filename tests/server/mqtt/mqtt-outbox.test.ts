import { expect, test } from 'vitest'
import type { Message } from '../../../server/mqtt/broker.ts'
import { createOutbox } from '../../../server/mqtt/outbox.ts'
import { minuteMs } from '../../../server/durations.ts'

const event = (payload: string): Message => ({ topic: 'site/stream/c1/event', payload, isRetained: false })
const state = (payload: string): Message => ({ topic: 'site/stream/c1/status', payload, isRetained: true })

const open = () => {
  const published: { payload: string; confirm: () => void }[] = []
  let isConnected = false
  let time = 7
  const outbox = createOutbox(
    { isConnected: () => isConnected, publish: ({ payload }, confirm) => void published.push({ payload, confirm }) },
    { nodeId: 'n1', now: () => time },
  )
  const taken = () =>
    outbox.takeUnwritten().map(({ payload, status, attempts, reason }) => [payload, status, attempts, reason])
  return {
    ...outbox,
    published,
    taken,
    wait: (ms: number) => {
      time += ms
    },
    connect: () => {
      isConnected = true
      outbox.handleConnection()
    },
    lose: (reason: string) => {
      isConnected = false
      outbox.handleFailure(reason)
    },
  }
}

test('a message waits for the broker, and is sent again until it is confirmed', () => {
  const { publish, published, taken, connect, lose } = open()
  lose('EHOSTUNREACH')
  publish(event('a'))
  expect(taken()).toEqual([['a', 'waiting', 0, 'EHOSTUNREACH']])
  connect()
  lose('CONNECTION_LOST')
  expect(taken()).toEqual([['a', 'waiting', 1, 'CONNECTION_LOST']])
  connect()
  published[1]?.confirm()
  expect(taken()).toEqual([['a', 'sent', 2, '']])
  connect()
  expect(published).toHaveLength(2)
})

test('a confirmation of the connection before counts no more', () => {
  const { publish, published, taken, connect, lose } = open()
  connect()
  publish(event('a'))
  lose('CONNECTION_LOST')
  published[0]?.confirm()
  expect(taken()).toEqual([['a', 'waiting', 1, 'CONNECTION_LOST']])
})

test('what the broker never confirms is given up after ten attempts, so that the rest is sent', () => {
  const { publish, published, taken, connect, lose } = open()
  publish(state('refused'))
  for (let attempt = 0; attempt < 10; attempt += 1) {
    connect()
    lose('CONNECTION_LOST')
  }
  expect(taken()).toEqual([['refused', 'failed', 10, 'CONNECTION_LOST']])
  connect()
  publish(state('refused'))
  publish(event('next'))
  expect(published.slice(10).map(({ payload }) => payload)).toEqual(['next'])
})

test('of messages that are sent together only the one that the broker refuses is given up', () => {
  const { publish, published, taken, connect, lose } = open()
  for (const payload of ['refused', 'first', 'second']) publish(event(payload))
  for (let attempt = 0; attempt < 10; attempt += 1) {
    connect()
    lose('CONNECTION_LOST')
  }
  connect()
  publish(event('new'))
  published.at(-1)?.confirm()
  published.at(-1)?.confirm()
  published.at(-1)?.confirm()
  expect(published.slice(27).map(({ payload }) => payload)).toEqual(['refused', 'first', 'second', 'new'])
  expect(taken()).toEqual([
    ['refused', 'failed', 10, 'CONNECTION_LOST'],
    ['first', 'sent', 10, ''],
    ['second', 'sent', 10, ''],
    ['new', 'sent', 1, ''],
  ])
})

test('a last attempt waits until what was sent before it is confirmed', () => {
  const { publish, published, connect, lose, load } = open()
  const kept = { id: 'd1', nodeId: 'n1', created: 1, status: 'waiting' as const, ended: 0, reason: '' }
  publish(event('before'))
  load([{ ...kept, ...event('last'), attempts: 9 }])
  publish(event('after'))
  const payloads = () => published.map(({ payload }) => payload)
  connect()
  expect(payloads()).toEqual(['before'])
  lose('CONNECTION_LOST')
  connect()
  published.at(-1)?.confirm()
  expect(payloads()).toEqual(['before', 'before', 'last'])
  published.at(-1)?.confirm()
  expect(payloads()).toEqual(['before', 'before', 'last', 'after'])
})

test('a state that failed is tried again after five minutes, so that the broker gets it', () => {
  const { publish, retryStates, published, taken, connect, lose, wait } = open()
  for (const message of [event('seen'), state('running'), { ...state(''), topic: 'site/stream/c2/status' }]) {
    publish(message)
  }
  // Nine attempts of all three, and the last one of each alone.
  for (let attempt = 0; attempt < 12; attempt += 1) {
    connect()
    lose('CONNECTION_LOST')
  }
  connect()
  wait(5 * minuteMs - 1)
  retryStates()
  expect(published).toHaveLength(30)
  wait(1)
  retryStates()
  expect(published.slice(30).map(({ payload }) => payload)).toEqual(['running'])
  published[30]?.confirm()
  expect(published.slice(31).map(({ payload }) => payload)).toEqual([''])
  lose('CONNECTION_LOST')
  expect(taken()).toEqual([
    ['seen', 'failed', 10, 'CONNECTION_LOST'],
    ['running', 'sent', 11, ''],
    ['', 'failed', 11, 'CONNECTION_LOST'],
  ])
})

test('a state at which the broker closes the connection is tried less and less often', () => {
  const { publish, retryStates, published, connect, lose, wait } = open()
  publish(state('refused'))
  const attempts = (minutes: number): number => {
    const before = published.length
    for (let minute = 0; minute < minutes; minute += 1) {
      connect()
      lose('CONNECTION_LOST')
      wait(minuteMs)
      retryStates()
    }
    return published.length - before
  }
  expect(attempts(10)).toBe(10)
  expect(attempts(24 * 60)).toBeLessThan(10)
})

test('states that another node publishes are dropped, and published anew later', () => {
  const { publish, leaveStates, published, taken, connect } = open()
  const own = { ...state('online'), topic: 'site/status/n1' }
  for (const message of [own, state('failed'), event('seen')]) publish(message)
  leaveStates('site/status/n1')
  connect()
  expect(published.map(({ payload }) => payload)).toEqual(['online', 'seen'])
  expect(taken().filter(([, status]) => status === 'failed')).toEqual([['failed', 'failed', 0, 'REPLACED']])
  publish(state('failed'))
  expect(published.at(-1)?.payload).toBe('failed')
})

test('a newer state replaces one that waits, and one that was sent is repeated without a record', () => {
  const { publish, published, taken, connect } = open()
  publish(state('failed'))
  publish(state('running'))
  expect(taken()).toEqual([
    ['failed', 'failed', 0, 'REPLACED'],
    ['running', 'waiting', 0, ''],
  ])
  connect()
  published[0]?.confirm()
  expect(taken()).toEqual([['running', 'sent', 1, '']])
  publish(state('running'))
  expect([published.map(({ payload }) => payload), taken()]).toEqual([['running', 'running'], []])
})

test('of more than a thousand events that wait the oldest are given up', () => {
  const { publish, taken } = open()
  for (let count = 0; count <= 1000; count += 1) publish(event(`${count}`))
  const failed = taken().filter(([, status]) => status === 'failed')
  expect(failed).toEqual([['0', 'failed', 0, 'TOO_MANY']])
})

test('of more than 5000 deliveries that can not be written the oldest are forgotten', () => {
  const { publish, takeUnwritten, putBack } = open()
  const publishEach = (from: number, to: number) => {
    for (let count = from; count < to; count += 1) publish(event(`${count}`))
  }
  publishEach(0, 4000)
  const refused = takeUnwritten()
  publishEach(4000, 7000)
  putBack(refused)
  const kept = takeUnwritten()
  expect([kept.length, kept[0]?.payload]).toEqual([5000, '2000'])
})

test('at most 200 messages are unconfirmed at once, and go in their order', () => {
  const { publish, published, connect } = open()
  for (let count = 0; count < 300; count += 1) publish(event(`${count}`))
  connect()
  expect(published).toHaveLength(200)
  published[0]?.confirm()
  expect(published.at(-1)?.payload).toBe('200')
})

test('after a restart events are sent, and states are those that are published anew', () => {
  const { publish, load, published, taken, connect } = open()
  const kept = { id: 'd1', nodeId: 'n1', created: 1, status: 'waiting' as const, attempts: 0, ended: 0, reason: '' }
  load([
    { ...kept, ...event('a') },
    { ...kept, ...state('running'), id: 'd2' },
  ])
  expect(taken()).toEqual([
    ['a', 'waiting', 0, ''],
    ['running', 'failed', 0, 'REPLACED'],
  ])
  publish(state('running'))
  connect()
  expect(published.map(({ payload }) => payload)).toEqual(['a', 'running'])
})

test('a test is tried once, and ends with the outbox or its time', async () => {
  const { publishOnce, published, connect, lose, stop } = open()
  const never = new AbortController()
  const refused = publishOnce(event('a'), never.signal)
  lose('LOGIN_REFUSED')
  expect(await refused).toBe('LOGIN_REFUSED')
  connect()
  const sent = publishOnce(event('b'), never.signal)
  published[0]?.confirm()
  expect(await sent).toBe('')
  const late = publishOnce(event('c'), never.signal)
  never.abort()
  expect(await late).toBe('TIMED_OUT')
  const stopped = publishOnce(event('d'), new AbortController().signal)
  stop()
  expect(await stopped).toBe('CONNECTION_LOST')
})
