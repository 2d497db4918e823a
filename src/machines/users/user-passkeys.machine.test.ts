import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { Passkey } from '../../api/contract/passkeys.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { type UserPasskeysEvent, userPasskeysMachine } from './user-passkeys.machine.ts'

const input = { ...pageInput(), login: 'bob' }
const phone: Passkey = { id: 'k1', name: 'Phone', host: 'cams.example', createTime: 1, lastUsedTime: null }
const laptop: Passkey = { id: 'k2', name: 'Laptop', host: 'cams.example', createTime: 2, lastUsedTime: 5 }

interface Answers {
  list?: Reply<{ items: readonly Passkey[] }>
  removal?: Reply<object>
}

function open({ list = ok({ items: [phone, laptop] }), removal = ok({}) }: Answers = {}) {
  const asked: object[] = []
  const page = openPage(
    userPasskeysMachine.provide({
      actors: {
        fetchPasskeys: fromPromise(async ({ input: given }) => {
          asked.push(given)
          return { reply: list, at: 9 }
        }),
        removePasskey: fromPromise(async ({ input: given }) => {
          asked.push(given)
          return removal
        }),
      },
    }),
    input,
  )
  return { ...page, asked, send: (event: UserPasskeysEvent) => page.send(event) }
}

describe('the passkeys of a user', () => {
  test('are listed, and one is removed only after a confirmation', async () => {
    const { send, context, asked, toasts } = open()
    await settle()
    expect({ passkeys: context().passkeys, at: context().at }).toEqual({ passkeys: [phone, laptop], at: 9 })
    send({ type: 'removal.requested', passkey: phone })
    send({ type: 'removal.cancelled' })
    send({ type: 'removal.requested', passkey: phone })
    expect(asked).toEqual([{ login: 'bob' }])
    send({ type: 'removal.confirmed' })
    await settle()
    expect({ asked, passkeys: context().passkeys, toasts: toasts() }).toEqual({
      asked: [{ login: 'bob' }, { login: 'bob', id: 'k1' }],
      passkeys: [laptop],
      toasts: [{ tone: 'success', code: 'userUpdated', values: {} }],
    })
  })

  test.each([
    [404, 'NotFound', [laptop], 'success'],
    [403, 'Forbidden', [phone, laptop], 'error'],
  ])('a %s when removing leaves the list true', async (status, code, passkeys, tone) => {
    const { send, context, toasts } = open({ removal: refused(status, code) })
    await settle()
    send({ type: 'removal.requested', passkey: phone })
    send({ type: 'removal.confirmed' })
    await settle()
    expect(context().passkeys).toEqual(passkeys)
    expect(toasts()?.map((toast) => toast.tone)).toEqual([tone])
  })

  test("that can't be fetched can be retried", async () => {
    const { send, context, value, asked } = open({ list: refused(500, 'InternalServerError') })
    await settle()
    expect([value(), context().apiError?.code]).toEqual(['failed', 'InternalServerError'])
    send({ type: 'list.retried' })
    expect(asked).toHaveLength(2)
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'list.retried' },
      { type: 'removal.requested', passkey: phone },
      { type: 'removal.confirmed' },
      { type: 'removal.cancelled' },
    ] satisfies UserPasskeysEvent[]
    const { declared, covered, strayed } = walkEdges(userPasskeysMachine, {
      model: userPasskeysMachine.provide({ actions: { raiseToast: () => undefined } }),
      input,
      events: [
        ...events,
        { type: 'xstate.done.actor.fetchPasskeys', output: { reply: ok({ items: [] }), at: 1 } },
        { type: 'xstate.done.actor.fetchPasskeys', output: { reply: refused(500, ''), at: 1 } },
        { type: 'xstate.error.actor.fetchPasskeys', error: new Error('not provided') },
        { type: 'xstate.done.actor.removePasskey', output: ok({}) },
        { type: 'xstate.done.actor.removePasskey', output: refused(500, '') },
        { type: 'xstate.error.actor.removePasskey', error: new Error('not provided') },
      ],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
