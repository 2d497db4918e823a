import { expect, test } from 'vitest'
import { createIngestPool, type HostListener } from '../../../server/ingest/pool.ts'

const minuteMs = 60_000

/** A pool over hosts that are only counted. */
const openPool = (maxStreams: number, hasSpare = false) => {
  const clock = { now: 0 }
  type Host = { listener: HostListener; sent: number[]; isClosed: boolean }
  const hosts: Host[] = []
  const pool = createIngestPool({
    maxStreams,
    hasSpare,
    now: () => clock.now,
    connect: (listener) => {
      const host: Host = { listener, sent: [], isClosed: false }
      hosts.push(host)
      return {
        send: ({ stream }) => host.sent.push(stream),
        close: () => {
          host.isClosed = true
        },
      }
    },
  })
  const lost: string[] = []
  const received: [string, string][] = []
  const open = (uid: string) => {
    const line = pool.open(uid, {
      onEvent: ({ kind }) => received.push([uid, kind]),
      onEnd: () => lost.push(uid),
    })
    line.send({ kind: 'stop', stream: line.stream })
    return line
  }
  /** Which of the hosts that are there has which streams. */
  const spread = () => hosts.filter(({ isClosed }) => !isClosed).map(({ sent }) => sent.length)
  return { clock, hosts, pool, open, lost, received, spread }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `camera ${index}`)

test('a host takes as many streams as it may, the idlest takes the next one, and an empty one is closed', () => {
  const { open, hosts, spread } = openPool(3)
  const lines = names(7).map(open)
  expect(spread()).toEqual([3, 3, 1])
  for (const line of lines.slice(0, 2)) line.leave()
  expect(hosts.map(({ isClosed }) => isClosed)).toEqual([false, false, false])
  open('other')
  // The first one and the third have one each.
  expect(spread()).toEqual([4, 3, 1])
  lines[6]?.leave()
  lines[6]?.leave()
  expect(hosts.map(({ isClosed }) => isClosed)).toEqual([false, false, true])
})

test('a spare host is there from the start, is made again once another works, and goes with the last', () => {
  const { open, hosts, received, clock } = openPool(24, true)
  const start = (host: number, stream: number) => hosts[host]?.listener.onEvent({ kind: 'started', stream })
  // It starts while the server is built.
  expect(hosts).toHaveLength(1)
  const line = open('camera')
  expect([hosts.length, hosts[0]?.sent]).toEqual([1, [line.stream]])
  start(0, line.stream)
  start(0, line.stream)
  expect([hosts.length, received.length]).toEqual([2, 2])
  hosts[0]?.listener.onEnd()
  const again = open('camera')
  expect([hosts.length, hosts[1]?.sent]).toEqual([2, [again.stream]])
  start(1, again.stream)
  // A spare one that dies is replaced, but not again and again.
  hosts[2]?.listener.onEnd()
  start(1, again.stream)
  expect(hosts).toHaveLength(3)
  clock.now += minuteMs
  start(1, again.stream)
  expect(hosts).toHaveLength(4)
  again.leave()
  expect(hosts.map(({ isClosed }) => isClosed)).toEqual([false, true, false, true])
})

test('a spare host is closed if no stream was opened', () => {
  const { open, hosts, pool } = openPool(24, true)
  const line = open('camera')
  pool.closeIdle()
  expect(hosts.map(({ isClosed }) => isClosed)).toEqual([false])
  line.leave()
  const none = openPool(24, true)
  none.pool.closeIdle()
  none.pool.closeIdle()
  expect(none.hosts.map(({ isClosed }) => isClosed)).toEqual([true])
})

test('workers are listed with the number of their streams', () => {
  const pool = createIngestPool({
    maxStreams: 2,
    connect: () => ({ send: () => undefined, close: () => undefined, process: () => ({ pid: 7, bytes: 1000 }) }),
  })
  expect(pool.workers()).toEqual([])
  for (const uid of names(3)) pool.open(uid, { onEvent: () => undefined, onEnd: () => undefined })
  expect(pool.workers()).toEqual([
    { pid: 7, bytes: 1000, streams: 2 },
    { pid: 7, bytes: 1000, streams: 1 },
  ])
  const { open, pool: inProcess } = openPool(2)
  open('camera')
  expect(inProcess.workers()).toEqual([])
})

test('an event of a host reaches its stream alone, and nothing is sent for a stream that has left', () => {
  const { open, hosts, received } = openPool(3)
  const [first, second] = [open('first'), open('second')]
  hosts[0]?.listener.onEvent({ kind: 'closed', stream: second.stream })
  hosts[0]?.listener.onEvent({ kind: 'closed', stream: 99 })
  expect(received).toEqual([['second', 'closed']])
  first.leave()
  first.send({ kind: 'stop', stream: first.stream })
  expect(hosts[0]?.sent).toEqual([first.stream, second.stream])
})

test('streams whose host dies are separated further with each death, and wait longer, until it is long ago', () => {
  const { open, hosts, pool, lost, clock } = openPool(24)
  const uids = names(6)
  const die = () => hosts.at(-1)?.listener.onEnd()
  const spread = (from: number) => hosts.slice(from).map(({ sent }) => sent.length)
  uids.map(open)
  die()
  expect([lost, pool.pauseMs('camera 0')]).toEqual([uids, 0])
  uids.map(open)
  expect(spread(1)).toEqual([6])
  die()
  expect(pool.pauseMs('camera 0')).toBe(1000)
  uids.map(open)
  expect(spread(2)).toEqual([4, 2])
  // One that never died isn't put where it may be taken along.
  open('other')
  expect(spread(2)).toEqual([4, 2, 1])
  hosts[2]?.listener.onEnd()
  expect(uids.map((uid) => pool.pauseMs(uid))).toEqual([2000, 2000, 2000, 2000, 1000, 1000])
  uids.slice(0, 4).map(open)
  expect(spread(5)).toEqual([1, 1, 1, 1])
  clock.now += 11 * minuteMs
  expect(pool.pauseMs('camera 0')).toBe(0)
  open('camera 0')
  expect(hosts).toHaveLength(9)
})

test('a stream waits a minute at most for a host that dies again and again', () => {
  const { open, hosts, pool } = openPool(24)
  for (let death = 0; death < 20; death += 1) {
    open('camera')
    hosts.at(-1)?.listener.onEnd()
  }
  expect(pool.pauseMs('camera')).toBe(minuteMs)
})

test('it is not well from the moment that streams lose their host until one records, or none is tried', () => {
  const { open, pool, hosts, clock } = openPool(24)
  expect(pool.isWell()).toBe(true)
  open('camera')
  hosts[0]?.listener.onEnd()
  expect(pool.isWell()).toBe(false)
  const line = open('camera')
  expect(pool.isWell()).toBe(false)
  hosts[1]?.listener.onEvent({ kind: 'started', stream: line.stream })
  expect(pool.isWell()).toBe(true)
  hosts[1]?.listener.onEnd()
  clock.now += 2 * minuteMs + 1
  expect(pool.isWell()).toBe(true)
})

test('every host learns how far the clock of this machine is ahead, and so do those that come later', () => {
  const clocks: number[][] = []
  const pool = createIngestPool({
    maxStreams: 1,
    connect: () => {
      const own: number[] = []
      clocks.push(own)
      return { send: () => undefined, close: () => undefined, setClockAhead: (aheadMs) => own.push(aheadMs) }
    },
  })
  const open = (uid: string) => pool.open(uid, { onEvent: () => undefined, onEnd: () => undefined })
  open('first')
  pool.setClockAhead(60_000)
  open('second')
  pool.setClockAhead(0)
  open('third')
  expect(clocks).toEqual([[60_000, 0], [60_000, 0], []])
})
