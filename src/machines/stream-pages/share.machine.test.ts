import { describe, expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import type { Share } from '../../api/contract/stream.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { type ShareEvent, shareMachine } from './share.machine.ts'

const link: Share = { url: '/ui/stream/gate/view#token=t', token: 't' }
function start({ isShared }: { isShared: boolean }) {
  const calls: string[] = []
  const machine = shareMachine.provide({
    actors: {
      openShare: fromPromise(async () => {
        calls.push('GET')
        return ok(link)
      }),
      withdrawShare: fromPromise(async () => {
        calls.push('DELETE')
        return ok({})
      }),
    },
  })
  const actor = createActor(machine, { input: { uid: 'gate', isShared } }).start()
  return {
    calls,
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
    expect(form()).toEqual({ uid: 'gate', expires: 'never', expireTime: '', password: '' })
    const expireTime = Date.parse('2026-11-22T08:00:00.000Z')
    const changed = { ...link, expireTime, password: '***' }
    send({
      type: 'form.saved',
      answer: changed,
      values: { uid: 'gate', expires: 'day', expireTime: '', password: 'x' },
    })
    expect(shown()).toEqual({ link: changed, isShared: true })
    send({ type: 'share.reported', isShared: false })
    expect(form()).toBeUndefined()
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
      { type: 'form.saved', answer: link, values: { uid: 'gate', expires: 'kept', expireTime: '', password: '' } },
    ],
    'share.reported': [
      { type: 'share.reported', isShared: true },
      { type: 'share.reported', isShared: false },
    ],
  } satisfies { [Type in ShareEvent['type']]: Extract<ShareEvent, { type: Type }>[] }
  const walked = walkEdges(shareMachine, {
    model: shareMachine,
    input: { uid: 'gate', isShared: false },
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
