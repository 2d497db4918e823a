import { expect, test } from 'vitest'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { lockEach, lockedIn, refusedIn } from './lock-each.ts'

const gate = ok({})
const yard = refused(403, 'Forbidden')
const hall = refused(400, 'ValidationError')

const lockAll = async (replies: Readonly<Record<string, Reply<object>>>) => {
  const asked: string[] = []
  const reply = await lockEach(Object.keys(replies), async (uid) => {
    asked.push(uid)
    return replies[uid] ?? ok({})
  })
  return { asked, reply }
}

test('the rest of the cameras are locked after one is refused', async () => {
  const { asked, reply } = await lockAll({ gate, yard, hall, roof: ok({}) })
  expect([asked, reply]).toEqual([
    ['gate', 'yard', 'hall', 'roof'],
    ok({ gate: null, yard: !yard.ok && yard.apiError, hall: !hall.ok && hall.apiError, roof: null }),
  ])
  const outcomes = reply.ok ? reply.value : {}
  expect([lockedIn(outcomes), refusedIn(outcomes)]).toEqual([
    ['gate', 'roof'],
    ['yard', 'hall'],
  ])
})

test('an invalid reason or expiry ends it before any is locked', async () => {
  expect(await lockAll({ yard, hall, gate })).toEqual({ asked: ['yard', 'hall'], reply: hall })
})
