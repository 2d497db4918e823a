import { describe, expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { sharedEnds, type ShareEvent, shareFormMachine, shareMachine, type ShownShare } from './share.machine.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'

const zone = 'Europe/Berlin'
const link: ShownShare = { url: '/ui/stream/gate/view#token=t', token: 't', zone }
const ends = { startTime: '', endTime: '', live: '', zone } as const
const values = { uid: 'gate', expires: 'never', expireTime: '', password: '', ...ends } as const
function start({ isShared, marks = null }: { isShared: boolean; marks?: TimeRange | null }) {
  const calls: string[] = []
  const ranges: (TimeRange | null)[] = []
  const machine = shareMachine.provide({
    actors: {
      openShare: fromPromise(async ({ input: { range } }) => {
        calls.push('GET')
        ranges.push(range)
        return ok(link)
      }),
      withdrawShare: fromPromise(async () => {
        calls.push('DELETE')
        return ok({})
      }),
    },
  })
  const actor = createActor(machine, { input: { uid: 'gate', isShared, marks } }).start()
  return {
    calls,
    ranges,
    send: (event: ShareEvent) => actor.send(event),
    form: () => actor.getSnapshot().context.form?.getSnapshot().context.values,
    shown: () => ({ link: actor.getSnapshot().context.link, isShared: actor.getSnapshot().context.isShared }),
  }
}

describe('sharing a stream (docs/wire.md §5.2)', () => {
  test('requests the link only on a press, as that opens the share', async () => {
    const { calls, send, shown } = start({ isShared: true })
    await settle()
    expect([calls, shown()]).toEqual([[], { link: null, isShared: true }])
    send({ type: 'share.requested' })
    await settle()
    expect([calls, shown()]).toEqual([['GET'], { link, isShared: true }])
  })

  test('a shown link has its options, which can be changed', async () => {
    const { send, shown, form } = start({ isShared: true })
    expect(form()).toBeUndefined()
    send({ type: 'share.requested' })
    await settle()
    expect(form()).toEqual(values)
    const expireTime = Date.parse('2026-11-22T08:00:00.000Z')
    const changed = { ...link, expireTime, password: '***' }
    send({
      type: 'form.saved',
      answer: changed,
      values: { uid: 'gate', expires: 'day', expireTime: '', password: 'x', ...ends },
    })
    expect(shown()).toEqual({ link: changed, isShared: true })
    send({ type: 'share.reported', isShared: false })
    expect(form()).toBeUndefined()
  })

  const [from, to] = [Date.UTC(2026, 10, 21, 8, 0, 0, 250), Date.UTC(2026, 10, 21, 8, 5, 0, 1)]

  test('a new link is of the range between the marks; one that is there already is only offered it', async () => {
    for (const isShared of [false, true]) {
      const { send, ranges, form } = start({ isShared, marks: { from, to } })
      send({ type: 'share.requested' })
      await settle()
      expect(ranges).toEqual([isShared ? null : { from: from - 250, to: to + 999 }])
      expect(form()).toMatchObject({ startTime: '2026-11-21 09:00:00', endTime: '2026-11-21 09:05:01', live: '' })
    }
  })

  test('the form shows the range of a link rather than the marks, in local time, and sends instants', async () => {
    const range = { startTime: Date.UTC(2026, 9, 25, 0, 30), endTime: Date.UTC(2026, 9, 25, 1, 30), live: true }
    const { send, form } = start({ isShared: true, marks: { from, to } })
    send({ type: 'form.saved', answer: { ...link, ...range }, values: { ...values } })
    const shown = form() ?? values
    expect(shown).toMatchObject({ startTime: '2026-10-25 02:30:00+02:00', endTime: '2026-10-25 02:30:00+01:00' })
    expect(sharedEnds(shown)).toEqual({
      startTime: '2026-10-25T00:30:00.000Z',
      endTime: '2026-10-25T01:30:00.000Z',
      live: true,
    })
    expect(sharedEnds(values)).toEqual({})
    expect(sharedEnds({ ...values, endTime: '2026-11-21 09:00:00' })).toEqual({
      startTime: null,
      endTime: '2026-11-21T08:00:00.000Z',
      live: false,
    })
  })

  test('a time that can not be read is refused beside its field', () => {
    const form = createActor(shareFormMachine, { input: { values: { ...values, startTime: 'noon' }, facts: null } })
    form.start().send({ type: 'form.submitted' })
    expect(form.getSnapshot().context.errors).toEqual({ startTime: 'unreadableTime' })
  })

  test('withdraws only after a confirmation', async () => {
    const { calls, send, shown } = start({ isShared: false })
    send({ type: 'share.requested' })
    await settle()
    send({ type: 'share.withdrawalRequested' })
    send({ type: 'share.withdrawalCancelled' })
    await settle()
    expect(calls).toEqual(['GET'])
    send({ type: 'share.withdrawalRequested' })
    send({ type: 'share.withdrawalConfirmed' })
    await settle()
    expect([calls, shown()]).toEqual([['GET', 'DELETE'], { link: null, isShared: false }])
  })

  test("an earlier poll doesn't remove the link, a withdrawal elsewhere does", async () => {
    const { send, shown } = start({ isShared: false })
    send({ type: 'share.requested' })
    await settle()
    send({ type: 'share.reported', isShared: false })
    expect(shown()).toEqual({ link, isShared: true })
    send({ type: 'share.reported', isShared: true })
    expect(shown()).toEqual({ link, isShared: true })
    send({ type: 'share.reported', isShared: false })
    expect(shown()).toEqual({ link: null, isShared: false })
  })
})

test('every edge of the chart is walked', () => {
  const own = {
    'share.requested': [{ type: 'share.requested' }],
    'share.withdrawalRequested': [{ type: 'share.withdrawalRequested' }],
    'share.withdrawalConfirmed': [{ type: 'share.withdrawalConfirmed' }],
    'share.withdrawalCancelled': [{ type: 'share.withdrawalCancelled' }],
    'form.saved': [
      {
        type: 'form.saved',
        answer: link,
        values: { uid: 'gate', expires: 'kept', expireTime: '', password: '', ...ends },
      },
    ],
    'share.reported': [
      { type: 'share.reported', isShared: true },
      { type: 'share.reported', isShared: false },
    ],
  } satisfies { [Type in ShareEvent['type']]: Extract<ShareEvent, { type: Type }>[] }
  const walked = walkEdges(shareMachine, {
    model: shareMachine,
    input: { uid: 'gate', isShared: false, marks: null },
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.done.actor.openShare', output: ok(link) },
      { type: 'xstate.done.actor.openShare', output: refused(403, 'Forbidden') },
      { type: 'xstate.error.actor.openShare', error: new Error('broken') },
      { type: 'xstate.done.actor.withdrawShare', output: ok({}) },
      { type: 'xstate.done.actor.withdrawShare', output: refused(403, 'Forbidden') },
      { type: 'xstate.error.actor.withdrawShare', error: new Error('broken') },
    ],
    name: ({ value, context }) => JSON.stringify([value, context['isShared'], context['link'] !== null]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
