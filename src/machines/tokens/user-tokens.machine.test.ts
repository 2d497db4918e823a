import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { Token } from '../../api/contract/user.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { type UserTokensEvent, userTokensMachine } from './user-tokens.machine.ts'

const input = { ...pageInput(), login: 'bob' }
const wall: Token = { id: 't1', name: 'wall', expireTime: null }
const backup: Token = { id: 't2', name: 'backup', expireTime: 5 }

interface Answers {
  list?: Reply<{ items: readonly Token[] }>
  revoke?: Reply<object>
}

function open({ list = ok({ items: [wall, backup] }), revoke = ok({}) }: Answers = {}) {
  const asked: object[] = []
  const page = openPage(
    userTokensMachine.provide({
      actors: {
        fetchTokens: fromPromise(async ({ input: given }) => {
          asked.push(given)
          return { reply: list, at: 9 }
        }),
        revokeToken: fromPromise(async ({ input: given }) => {
          asked.push(given)
          return revoke
        }),
      },
    }),
    input,
  )
  return { ...page, asked, send: (event: UserTokensEvent) => page.send(event) }
}

describe('the tokens of a user', () => {
  test('are listed, and one is revoked only after a confirmation', async () => {
    const { send, context, asked, toasts } = open()
    await settle()
    expect({ tokens: context().tokens, at: context().at }).toEqual({ tokens: [wall, backup], at: 9 })
    send({ type: 'revoke.requested', token: wall })
    send({ type: 'revoke.cancelled' })
    send({ type: 'revoke.requested', token: wall })
    expect(asked).toEqual([{ login: 'bob' }])
    send({ type: 'revoke.confirmed' })
    await settle()
    expect({ asked, tokens: context().tokens, toasts: toasts() }).toEqual({
      asked: [{ login: 'bob' }, { login: 'bob', id: 't1' }],
      tokens: [backup],
      toasts: [{ tone: 'success', code: 'tokenDeleted', values: {} }],
    })
  })

  test.each([
    [404, 'NotFound', [backup], 'error'],
    [403, 'Forbidden', [wall, backup], 'error'],
  ])('a %s when revoking leaves the list true', async (status, code, tokens, tone) => {
    const { send, context, toasts } = open({ revoke: refused(status, code) })
    await settle()
    send({ type: 'revoke.requested', token: wall })
    send({ type: 'revoke.confirmed' })
    await settle()
    expect(context().tokens).toEqual(tokens)
    expect(toasts()?.map((toast) => toast.tone)).toEqual([tone])
  })

  test("that can't be fetched are an error in the page and in a toast, and can be retried", async () => {
    const { send, context, value, asked, toasts } = open({ list: refused(500, 'InternalServerError') })
    await settle()
    expect({ value: value(), apiError: context().apiError?.code, toasts: toasts()?.map(({ code }) => code) }).toEqual({
      value: 'failed',
      apiError: 'InternalServerError',
      toasts: ['InternalServerError'],
    })
    send({ type: 'list.retried' })
    expect(asked).toHaveLength(2)
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'list.retried' },
      { type: 'revoke.requested', token: wall },
      { type: 'revoke.confirmed' },
      { type: 'revoke.cancelled' },
    ] satisfies UserTokensEvent[]
    const { declared, covered, strayed } = walkEdges(userTokensMachine, {
      model: userTokensMachine.provide({ actions: { raiseToast: () => undefined } }),
      input,
      events: [
        ...events,
        { type: 'xstate.done.actor.fetchTokens', output: { reply: ok({ items: [] }), at: 1 } },
        { type: 'xstate.done.actor.fetchTokens', output: { reply: refused(500, ''), at: 1 } },
        { type: 'xstate.error.actor.fetchTokens', error: new Error('not provided') },
        { type: 'xstate.done.actor.revokeToken', output: ok({}) },
        { type: 'xstate.done.actor.revokeToken', output: refused(500, '') },
        { type: 'xstate.error.actor.revokeToken', error: new Error('not provided') },
      ],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
