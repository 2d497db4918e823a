import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { alertTextOf } from '../../../server/alerts/alert-text.ts'
import { faultOf, nodeSubject, type Happening } from '../../../server/alerts/happenings.ts'
import type { Cluster } from '../../../server/cluster/cluster.ts'
import { createClusterClock } from '../../../server/cluster/clock.ts'
import { createLeaseRows } from '../../../server/cluster/lease-rows.ts'
import type { MemberOptions } from '../../../server/cluster/member.ts'
import { placedOn } from '../../../server/cluster/placement.ts'
import { propertyOf } from '../../../server/property-of.ts'
import { StoreAway, StoreError } from '../../../server/store/connection.ts'
import { leaseOf } from '../../../server/streams/elsewhere.ts'
import { holdings, openMembers, testClock } from '../fixtures/cluster-members.ts'

const uids = Array.from({ length: 12 }, (_each, index) => `stream${index}`)
const beatMs = 3000

/** Beats of all members, in order. */
const beat = async (members: readonly Cluster[], times = 1): Promise<void> => {
  for (let count = 0; count < times; count += 1) for (const member of members) await member.refresh()
}

describe('placement', () => {
  test('every node gets its share, and a node that goes moves its own streams only', () => {
    const many = Array.from({ length: 3000 }, (_each, index) => `camera ${index}`)
    const on = (takers: string[]) => many.map((uid) => placedOn(uid, undefined, takers))
    const three = on(['a', 'b', 'c'])
    for (const id of ['a', 'b', 'c']) {
      const share = three.filter((each) => each === id).length
      expect(share).toBeGreaterThan(900)
      expect(share).toBeLessThan(1100)
    }
    const two = on(['c', 'a'])
    expect(three.every((id, index) => id === 'b' || two[index] === id)).toBe(true)
    expect(on([])).toEqual(many.map(() => undefined))
  })

  test('a pinned stream is on its node while that one takes streams', () => {
    const elsewhere = placedOn('door', undefined, ['a', 'b'])
    for (const pin of ['a', 'b']) expect(placedOn('door', pin, ['a', 'b'])).toBe(pin)
    expect(placedOn('door', 'c', ['a', 'b'])).toBe(elsewhere)
  })
})

describe('leases', () => {
  test('each stream is held by one node, by all nodes alike', async () => {
    const { addStreams, start } = await openMembers()
    await addStreams(...uids)
    const members = await start('a', 'b', 'c')
    await beat(members)
    const held = holdings(members, uids)
    expect(Object.values(held).flat().toSorted()).toEqual(uids.toSorted())
    for (const member of members) {
      for (const [id, own] of Object.entries(held)) {
        expect(own.map((uid) => member.holderOf(uid)?.nodeId)).toEqual(own.map(() => id))
      }
      expect(member.nodes().map(({ id, isAvailable, isLost }) => [id, isAvailable, isLost])).toEqual([
        ['a', true, false],
        ['b', true, false],
        ['c', true, false],
      ])
    }
  })

  test('a lost node loses its streams when their lease has ended, and gets them back by hand-over', async () => {
    const { addStreams, start, wait } = await openMembers()
    await addStreams(...uids)
    const members = await start('a', 'b')
    const [a, b] = members
    if (a === undefined || b === undefined) throw new Error('no members')
    // The first took all, as it was alone for a moment; then half of them go on to the second.
    for (let count = 0; count < 60; count += 1) {
      await wait(1000)
      await beat(members)
      for (const uid of uids)
        for (const each of members) if (each.assignmentOf(uid) === 'joining') await each.takeOver(uid)
    }
    const before = holdings(members, uids)
    expect(before['b']).toEqual(uids.filter((uid) => placedOn(uid, undefined, ['a', 'b']) === 'b'))

    const [uid = ''] = before['b'] ?? []
    const tenure = b.tenureOf(uid)
    expect(tenure?.isValid()).toBe(true)
    await wait(beatMs)
    await a.refresh()
    await wait(beatMs)
    await a.refresh()
    await wait(4100)
    expect(tenure?.isValid()).toBe(false)
    await a.refresh()
    expect(holdings([a], uids)['a']).toEqual(before['a'])
    await wait(2000)
    await a.refresh()
    expect(holdings([a], uids)['a']).toEqual(uids)
    expect(a.holderOf(uid)).toMatchObject({ nodeId: 'a', reason: 'failover', epoch: (tenure?.epoch ?? 0) + 1 })
    expect(a.nodes().map(({ id, isAvailable, isLost }) => [id, isAvailable, isLost])).toEqual([
      ['a', true, false],
      ['b', false, true],
    ])

    // The zombie learns it with its first beat.
    await b.refresh()
    expect(holdings([b], uids)['b']).toEqual([])
    expect(b.tenureOf(uid)).toBeUndefined()
  })

  test('an instance that comes back and is stopped leaves the streams to its successor', async () => {
    const { addStreams, start, join, wait } = await openMembers()
    await addStreams(...uids)
    const [lost, other] = await start('a', 'b')
    await wait(13_000)
    const next = await join('a')
    await next.start()
    await beat([next])
    const before = holdings([next], uids)
    expect(next.isLeader()).toBe(true)
    await lost?.refresh()
    await lost?.stop()
    await wait(1000)
    await other?.refresh()
    await beat([next])
    expect(holdings([next], uids)).toEqual(before)
    expect([next.isLeader(), other?.isLeader()]).toEqual([true, false])
  })

  test('after an outage of the database each node keeps its streams', async () => {
    const { addStreams, start, wait } = await openMembers()
    await addStreams(...uids)
    const members = await start('a', 'b')
    await beat(members)
    const before = holdings(members, uids)
    await wait(13_000)
    for (const each of members.toReversed()) await each.refresh()
    for (let count = 0; count < 5; count += 1) {
      await wait(beatMs)
      await beat(members)
    }
    expect(holdings(members, uids)).toEqual(before)
  })

  test('a node that starts after the outage takes no streams that the others still hold', async () => {
    const { addStreams, start, wait } = await openMembers()
    await addStreams(...uids)
    const members = await start('a', 'b')
    const before = holdings(members, uids)
    await wait(13_000)
    const [next] = await start('c')
    if (next === undefined) throw new Error('no member')
    expect(holdings([next], uids)['c']).toEqual([])
    await beat([...members, next])
    expect(holdings(members, uids)).toEqual(before)
  })

  test('a node that starts beside lost nodes takes their streams two beats later', async () => {
    const { addStreams, start, wait } = await openMembers()
    await addStreams(...uids)
    await start('a', 'b')
    await wait(13_000)
    const [next] = await start('c')
    if (next === undefined) throw new Error('no member')
    await wait(2 * beatMs)
    await next.refresh()
    expect(holdings([next], uids)['c']).toEqual(uids)
  })

  test('a node that starts takes the streams of a node that has left at once', async () => {
    const { addStreams, start } = await openMembers()
    await addStreams(...uids)
    const [left] = await start('a')
    await left?.stop()
    const [next] = await start('b')
    expect(next === undefined ? {} : holdings([next], uids)).toEqual({ b: uids })
  })

  test('a node that does not come back from the outage loses its streams two beats later', async () => {
    const { addStreams, start, wait } = await openMembers()
    await addStreams(...uids)
    const [lost, member] = await start('a', 'b')
    if (lost === undefined || member === undefined) throw new Error('no members')
    const before = holdings([member], uids)
    await wait(13_000)
    for (let count = 0; count < 2; count += 1) {
      await member.refresh()
      await wait(beatMs)
    }
    expect(holdings([member], uids)).toEqual(before)
    await member.refresh()
    expect(holdings([member], uids)['b']).toEqual(uids)
  })

  test('a lease that ends between two beats is taken at its end', async ({ signal }) => {
    const { addStreams, start, join, wait } = await openMembers()
    await addStreams(...uids)
    const [lost] = await start('a')
    if (lost === undefined) throw new Error('no member')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const member = await join('b', { beatMs })
    await member.start()
    await wait(5000)
    await member.refresh()
    await wait(5000)
    await member.refresh()
    await wait(2001)
    vi.advanceTimersByTime(2000)
    expect(holdings([member], uids)['b']).toEqual([])
    vi.advanceTimersByTime(5)
    while (!signal.aborted && member.tenureOf(uids[0] ?? '') === undefined)
      await new Promise((resolve) => setImmediate(resolve))
    expect(holdings([member], uids)['b']).toEqual(uids)
    await member.stop()
  })

  test('a node that stops during a beat leaves no timer behind', async () => {
    const { addStreams, start, join, wait } = await openMembers()
    await addStreams('door')
    await start('a')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const member = await join('b', { beatMs })
    await member.start()
    const running = vi.getTimerCount()
    await wait(5000)
    await member.refresh()
    await wait(5000)
    // The lease of the other node ends before the next beat.
    await Promise.all([member.refresh(), member.stop()])
    expect(vi.getTimerCount()).toBe(running - 1)
  })

  test('a node that stops gives its streams back at once and has left', async () => {
    const { addStreams, start } = await openMembers()
    await addStreams(...uids)
    const [a, b] = await start('a', 'b')
    await a?.stop()
    await b?.refresh()
    expect(b === undefined ? {} : holdings([b], uids)).toEqual({ b: uids })
    expect(b?.nodes().map(({ id, isAvailable, isLost }) => [id, isAvailable, isLost])).toEqual([
      ['a', false, false],
      ['b', true, false],
    ])
    expect(await b?.remove('b')).toBe(false)
    expect(await b?.remove('a')).toBe(true)
    expect(b?.nodes().map(({ id }) => id)).toEqual(['b'])
  })

  test('a second server with the same id is refused while the first one beats', async () => {
    const { addStreams, start, join, wait } = await openMembers()
    await addStreams('door')
    const [first] = await start('a')
    const pause = async (ms: number): Promise<void> => {
      await wait(ms)
      await first?.refresh()
    }
    await expect(join('a', { pause })).rejects.toThrow(
      'Another server runs as node a: give each server a NODE_ID of its own',
    )
  })

  test('a server that was killed is followed by its next start, by another epoch; the zombie holds nothing', async () => {
    const { addStreams, start, join, wait } = await openMembers()
    await addStreams('door')
    const [first] = await start('a')
    const epoch = first?.tenureOf('door')?.epoch ?? 0
    const second = await join('a', { pause: wait })
    await second.start()
    expect(second.tenureOf('door')?.epoch).toBe(epoch + 1)
    await first?.refresh()
    expect(first?.tenureOf('door')).toBeUndefined()
    expect(first?.isLeader()).toBe(false)
    await second.refresh()
    expect(second.tenureOf('door')?.epoch).toBe(epoch + 1)
  })

  test('a node that was removed while it was away joins again', async () => {
    const { addStreams, start, wait } = await openMembers()
    await addStreams('door')
    const [a, b] = await start('a', 'b')
    await wait(13_000)
    await b?.refresh()
    expect(await b?.remove('a')).toBe(true)
    await a?.refresh()
    await b?.refresh()
    expect(b?.isAvailable('a')).toBe(true)
    expect(a?.assignmentOf('door')).toBeUndefined()
  })

  test('the lease of a removed stream ends', async () => {
    const { addStreams, start, store } = await openMembers()
    await addStreams('door')
    const [a] = await start('a')
    expect(a?.assignmentOf('door')).toBe('holding')
    await store.run("DELETE FROM streams WHERE uid = 'door'")
    await a?.refresh()
    expect(a?.assignmentOf('door')).toBeUndefined()
  })
})

test('a node that is back knows since when others may have had its streams, whoever has them now', async () => {
  const { addStreams, start, join, wait, now } = await openMembers()
  await addStreams('door')
  await start('a')
  const lastBeatAt = now()
  const [b] = await start('b')
  for (let count = 0; count < 12; count += 1) {
    await wait(beatMs)
    await b?.refresh()
  }
  expect(b?.assignmentOf('door')).toBe('holding')
  await b?.stop()
  await wait(beatMs)
  const [restarted] = await start('b')
  expect(restarted?.tenureOf('door')).toMatchObject({ epoch: 3, since: now() })
  expect(leaseOf(await join('a'), 'door')).toEqual({ epoch: 0, takenAt: lastBeatAt })
})

describe('hand-over', () => {
  const two = async () => {
    const cluster = await openMembers()
    await cluster.addStreams('door')
    await cluster.store.run("UPDATE streams SET pinned_node = 'a'")
    const members = await cluster.start('a', 'b')
    const [a, b] = members
    if (a === undefined || b === undefined) throw new Error('no members')
    return { ...cluster, a, b, members }
  }

  test('a pinned stream moves: the next node joins, and takes over at its first keyframe', async () => {
    const { a, b, members } = await two()
    await beat(members)
    const seen: unknown[] = []
    for (const member of members) {
      member.onAssignment((uid) => seen.push([member.nodeId, uid, member.assignmentOf(uid)]))
    }
    const epoch = a.tenureOf('door')?.epoch ?? 0
    await b.pin('door', 'b')
    await beat(members)
    expect(b.assignmentOf('door')).toBe('joining')
    expect(a.holderOf('door')).toMatchObject({ nodeId: 'a' })
    expect(await b.takeOver('door')).toBe(true)
    await beat(members)
    expect(seen).toEqual([
      ['b', 'door', 'joining'],
      ['b', 'door', 'holding'],
      ['a', 'door', undefined],
    ])
    expect(a.holderOf('door')).toMatchObject({ nodeId: 'b', epoch: epoch + 1, reason: 'pinned' })
    expect(b.tenureOf('door')).toMatchObject({ epoch: epoch + 1 })
    expect(leaseOf(a, 'door')).toEqual({ epoch: 0, takenAt: b.tenureOf('door')?.since })
    expect(leaseOf(b, 'door')).toEqual({ epoch: epoch + 1, takenAt: undefined })
    expect(b.pinOf('door')).toBe('b')
  })

  test('the holder keeps a stream that the next node does not get within 20 s, and tries again later', async () => {
    const { a, b, members, wait } = await two()
    await b.pin('door', 'b')
    await beat(members)
    for (let count = 0; count < 8; count += 1) {
      await wait(beatMs)
      await beat(members)
    }
    expect([a.assignmentOf('door'), b.assignmentOf('door')]).toEqual(['holding', undefined])
    expect(await b.takeOver('door')).toBe(false)
    for (let count = 0; count < 25; count += 1) {
      await wait(beatMs)
      await beat(members)
      if (b.assignmentOf('door') === 'joining') await b.takeOver('door')
    }
    expect([a.assignmentOf('door'), b.assignmentOf('door')]).toEqual([undefined, 'holding'])
  })

  test('a stream that is not recorded now goes at once', async () => {
    const { a, b, members } = await two()
    a.setLiveness(() => false)
    await b.pin('door', 'b')
    await beat(members, 2)
    expect([a.assignmentOf('door'), b.assignmentOf('door')]).toEqual([undefined, 'holding'])
  })

  test('placement leaves a stream where an administrator moved it, until that node is drained', async () => {
    const { a, b, members, wait } = await two()
    const home = placedOn('door', undefined, ['a', 'b']) === 'a' ? a : b
    const other = home === a ? b : a
    const beats = async (times: number): Promise<void> => {
      for (let count = 0; count < times; count += 1) {
        await wait(beatMs)
        await beat(members)
        for (const each of members) if (each.assignmentOf('door') === 'joining') await each.takeOver('door')
      }
    }
    await a.pin('door', null)
    await beats(4)
    expect(home.assignmentOf('door')).toBe('holding')
    await home.move('door', other.nodeId)
    await beats(6)
    expect(other.assignmentOf('door')).toBe('holding')
    expect(other.holderOf('door')?.reason).toBe('moved')
    expect(await home.setDrained(other.nodeId, true)).toBe(true)
    await beats(3)
    expect(home.assignmentOf('door')).toBe('holding')
    expect(home.holderOf('door')?.reason).toBe('drained')
    expect(await home.setDrained('nobody', true)).toBe(false)
  })

  test('moved to the node that records it, a stream stays there, and its hand-over to another one ends', async () => {
    const { a, b, members } = await two()
    await a.pin('door', null)
    await b.move('door', 'b')
    await beat(members)
    expect(b.assignmentOf('door')).toBe('joining')
    await b.move('door', 'a')
    await beat(members)
    expect([a.assignmentOf('door'), b.assignmentOf('door')]).toEqual(['holding', undefined])
    const { nodeId, reason, nextNodeId } = a.holderOf('door') ?? {}
    expect([nodeId, reason, nextNodeId]).toEqual(['a', 'moved', undefined])
  })

  test('what a beat has planned from older rows leaves a move that was asked for meanwhile', async () => {
    const { a, b, store } = await two()
    const rows = createLeaseRows(
      { store, clock: testClock },
      { id: 'a', name: 'a', url: '', version: '1', instance: 'a' },
    )
    const planned = (node: string) => {
      const epoch = a.tenureOf('door')?.epoch ?? 0
      return { uid: 'door', epoch, next: { node, reason: 'balanced' } } as const
    }
    const next = async () => (await rows.read())[0]?.lease?.next
    await b.move('door', 'b')
    await rows.ask(planned('c'))
    await rows.cancel(planned('c'))
    expect([await rows.give(planned('c')), await next()]).toEqual([false, { node: 'b', reason: 'moved' }])
    await rows.cancel(planned('b'))
    expect(await next()).toBeUndefined()
    await rows.ask(planned('b'))
    expect([await rows.give(planned('b')), (await rows.read())[0]?.lease?.node]).toEqual([true, 'b'])
  })

  test('nodes that are all drained keep what they record', async () => {
    const { a, b, members, wait } = await two()
    await a.setDrained('a', true)
    await a.setDrained('b', true)
    await wait(beatMs)
    await beat(members, 3)
    expect([a, b].flatMap((each) => each.assignmentOf('door') ?? [])).toEqual(['holding'])
  })
})

describe('leadership', () => {
  test('one node leads, and another one once its time is over', async () => {
    const { start, wait } = await openMembers()
    const [a, b] = await start('a', 'b')
    expect([a?.isLeader(), b?.isLeader()]).toEqual([true, false])
    const term = await a?.untilLeader(new AbortController().signal)
    expect(term?.aborted).toBe(false)
    await wait(10_001)
    expect([a?.isLeader(), b?.isLeader()]).toEqual([false, false])
    await wait(2000)
    await b?.refresh()
    expect(b?.isLeader()).toBe(true)
    await a?.refresh()
    expect(a?.isLeader()).toBe(false)
    expect(term?.aborted).toBe(true)
    const next = a?.untilLeader(new AbortController().signal)
    await b?.stop()
    await a?.refresh()
    expect((await next)?.aborted).toBe(false)
  })

  test('who no longer waits gets an aborted signal', async () => {
    const { start } = await openMembers()
    const [, b] = await start('a', 'b')
    const stopping = new AbortController()
    const waiting = b?.untilLeader(stopping.signal)
    stopping.abort()
    expect((await waiting)?.aborted).toBe(true)
  })
})

describe('the clock', () => {
  test('is corrected by the database where it is wrong by more than a second', () => {
    let own = 100_000
    const clock = createClusterClock(() => own)
    const corrections: number[] = []
    clock.onCorrection((ms) => corrections.push(ms))
    clock.measure(99_200, 100_000, 100_010)
    expect([clock.aheadMs(), clock.isSkewed(), clock.now()]).toEqual([805, false, 100_000])
    own = 160_000
    clock.measure(100_000, 159_990, 160_010)
    expect([clock.aheadMs(), clock.isSkewed(), clock.now()]).toEqual([60_000, true, 100_000])
    clock.measure(100_900, 160_000, 160_000)
    expect(clock.now()).toBe(100_000)
    // An answer that took too long says nothing.
    clock.measure(0, 160_000, 170_000)
    expect(clock.aheadMs()).toBe(59_100)
    own = 101_000
    clock.measure(100_990, 101_000, 101_000)
    expect([clock.now(), clock.isSkewed(), corrections]).toEqual([101_000, false, [60_000, 0]])
  })

  test('nodes report how far theirs is ahead', async () => {
    const { join, start, now } = await openMembers()
    const [a] = await start('a')
    const time = createClusterClock(() => now() + 5000)
    const b = await join('b', { time })
    await b.refresh()
    await a?.refresh()
    expect(b.clockAheadMs()).toBe(5000)
    expect(a?.nodes().map(({ id, facts }) => [id, facts.clockAheadMs])).toEqual([
      ['a', 0],
      ['b', 5000],
    ])
  })
})

test('a node that can’t beat logs why once, but each time that the database is away, which its log leaves out', async () => {
  const { store, join } = await openMembers()
  const warn = vi.fn<MemberOptions['log']['warn']>()
  const member = await join('a', { store, log: { warn, error: vi.fn<MemberOptions['log']['error']>() } })
  let error: StoreError = new StoreAway('gone')
  const refuse = () => Promise.reject(error)
  Object.assign(store, { get: refuse, all: refuse, run: refuse, transaction: refuse })
  await beat([member], 2)
  error = new StoreError('broken')
  await beat([member], 2)
  const reasons = warn.mock.calls.map(([detail]) => propertyOf(detail, 'err'))
  expect(reasons.map(String)).toEqual([
    'StoreAway: The database is away: gone',
    'StoreAway: The database is away: gone',
    'StoreError: broken',
  ])
})

test('an alert names the node that was lost', () => {
  const lost = { ...faultOf(nodeSubject('b')), time: 0 }
  const text = (language: string, happening: Happening) =>
    alertTextOf({ alert: 'Nodes', total: 1, happenings: [happening] }, { title: 'Site', language }).subject
  expect([lost.on, lost.reason]).toEqual(['node.lost', 'NODE_LOST'])
  expect(text('en', lost)).toBe('Site: Node b is not available')
  expect(text('ru', { ...lost, isOver: true })).toBe('Site: Узел b снова доступен')
})
