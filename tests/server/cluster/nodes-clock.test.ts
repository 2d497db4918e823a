import { expect, test } from 'vitest'
import { createClusterClock } from '../../../server/cluster/clock.ts'
import { holdings, openMembers } from '../fixtures/cluster-members.ts'

const beatMs = 3000

test.each([30_000, -30_000])(
  'a node whose clock is %i ms ahead keeps its streams, and takes those of others only when their leases end',
  async (aheadMs) => {
    const { addStreams, start, join, now, wait } = await openMembers()
    const uids = Array.from({ length: 12 }, (_each, index) => `stream${index}`)
    const [right] = await start('a')
    const wrong = await join('b', { time: createClusterClock(() => now() + aheadMs) })
    await wrong.start()
    await right?.refresh()
    await addStreams(...uids)
    const members = right === undefined ? [] : [right, wrong]
    const beat = async (): Promise<void> => {
      await wait(beatMs)
      for (const member of members) await member.refresh()
    }
    await beat()
    await beat()
    const placed = holdings(members, uids)
    const tenures = () =>
      uids.map((uid) => members.map((member) => [member.tenureOf(uid)?.epoch, member.tenureOf(uid)?.isValid()]))
    const before = tenures()
    expect(before.flat(2)).not.toContain(false)
    expect(Object.values(placed).every(({ length }) => length > 0)).toBe(true)
    for (let count = 0; count < 6; count += 1) await beat()
    expect([holdings(members, uids), tenures()]).toEqual([placed, before])

    for (let count = 0; count < 3; count += 1) {
      await wait(beatMs)
      await wrong.refresh()
    }
    expect(holdings([wrong], uids)['b']).toEqual(placed['b'])
    await wait(beatMs + 1)
    await wrong.refresh()
    expect(holdings([wrong], uids)['b']).toEqual(uids)
  },
)
