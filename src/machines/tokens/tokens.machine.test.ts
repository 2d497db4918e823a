import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { Token, TokenCreated } from '../../api/contract/user.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { ensureTemporal } from '../temporal.ts'
import { expireTimeOf } from './expiry.ts'
import { tokenFormMachine, type TokensEvent, tokensMachine } from './tokens.machine.ts'

const input = pageInput()
const wall = { id: 't1', name: 'wall', expireTime: null }
const created: TokenCreated = { id: 't2', name: 'backup', expireTime: 5, token: 'secret' }

interface Answers {
  remove?: () => Promise<Reply<object>>
  copies?: boolean
  answer?: TokenCreated
  fetch?: () => Promise<Reply<{ items: readonly Token[] }>>
}

const listed = async () => ok<{ items: readonly Token[] }>({ items: [wall] })

function open({ remove = async () => ok({}), copies = true, answer = created, fetch = listed }: Answers = {}) {
  const sent: object[] = []
  const page = openPage(
    tokensMachine.provide({
      actors: {
        form: tokenFormMachine.provide({
          actors: {
            submit: fromPromise(async ({ input: { values } }) => {
              sent.push(values)
              return ok(answer)
            }),
          },
        }),
        fetchTokens: fromPromise(async () => ({ reply: await fetch(), at: 7 })),
        deleteToken: fromPromise(async ({ input: given }) => {
          sent.push(given)
          return remove()
        }),
        copy: fromPromise(async () => copies),
      },
    }),
    input,
  )
  return { ...page, sent, send: (event: TokensEvent) => page.send(event) }
}

describe('API tokens (docs/wire.md §5.4)', () => {
  test('a token is created, its secret is shown until hidden, and the list is fetched again', async () => {
    const { send, context, value, sent } = open()
    await settle()
    send({ type: 'create.requested' })
    context().form.send({ type: 'form.edited', values: { name: 'backup' } })
    context().form.send({ type: 'form.submitted' })
    await settle()
    expect(sent).toEqual([{ name: 'backup', expireTime: 'month', date: '' }])
    expect({ form: context().form, created: context().created }).toEqual({ form: null, created })
    send({ type: 'secret.copied', text: 'secret' })
    await settle()
    expect(value()).toEqual({ list: 'ready', dialog: 'closed', secret: 'copied' })
    send({ type: 'secret.hidden' })
    expect({ created: context().created, tokens: context().tokens }).toEqual({ created: null, tokens: [wall] })
  })

  test('a token whose secret the server keeps to itself is listed', async () => {
    const { send, context } = open({ answer: { ...created, token: '' } })
    await settle()
    send({ type: 'create.requested' })
    context().form.send({ type: 'form.edited', values: { name: 'backup' } })
    context().form.send({ type: 'form.submitted' })
    await settle()
    expect({ form: context().form, created: context().created }).toEqual({ form: null, created: null })
  })

  test("reports that the browser doesn't let the page copy", async () => {
    const { send, value } = open({ copies: false })
    send({ type: 'secret.copied', text: 'secret' })
    await settle()
    expect(value()).toEqual({ list: 'ready', dialog: 'closed', secret: 'notCopied' })
  })

  test('one is deleted only once confirmed', async () => {
    const { send, context, sent, toasts } = open()
    await settle()
    send({ type: 'delete.requested', token: wall })
    send({ type: 'delete.cancelled' })
    send({ type: 'delete.requested', token: wall })
    expect(sent).toEqual([])
    send({ type: 'delete.confirmed' })
    await settle()
    expect({ sent, tokens: context().tokens, toasts: toasts() }).toEqual({
      sent: [{ id: 't1' }],
      tokens: [],
      toasts: [{ tone: 'success', code: 'tokenDeleted', values: {} }],
    })
  })

  test('one that is deleted while the list is fetched stays away', async () => {
    const held: ((items: readonly Token[]) => void)[] = []
    const fetch = () =>
      new Promise<Reply<{ items: readonly Token[] }>>((resolve) => held.push((items) => resolve(ok({ items }))))
    const { send, context } = open({ fetch })
    send({ type: 'delete.requested', token: wall })
    send({ type: 'delete.confirmed' })
    await settle()
    held[0]?.([wall])
    held[1]?.([])
    await settle()
    expect([held.length, context().tokens]).toEqual([2, []])
  })

  test('one without a name is named by its id', async () => {
    const { send, toasts } = open()
    await settle()
    send({ type: 'delete.requested', token: { id: 't-7', name: '', expireTime: null } })
    send({ type: 'delete.confirmed' })
    await settle()
    expect(toasts()).toMatchObject([{ code: 'tokenDeleted' }])
  })

  test('the secret of a token goes with the token', async () => {
    const { send, context } = open()
    await settle()
    send({ type: 'create.requested' })
    context().form?.send({ type: 'form.edited', values: { name: 'backup' } })
    context().form?.send({ type: 'form.submitted' })
    await settle()
    await settle()
    expect(context().created).toEqual(created)
    send({ type: 'delete.requested', token: wall })
    send({ type: 'delete.confirmed' })
    await settle()
    expect(context().created).toEqual(created)
    send({ type: 'delete.requested', token: created })
    send({ type: 'delete.confirmed' })
    await settle()
    expect(context().created).toBe(null)
  })

  test.each([
    [404, 'NotFound', [], 'error'],
    [500, 'InternalServerError', [wall], 'error'],
  ])('a %s when deleting leaves the list true', async (status, code, tokens, tone) => {
    const { send, context, toasts } = open({ remove: async () => refused(status, code) })
    await settle()
    send({ type: 'delete.requested', token: wall })
    send({ type: 'delete.confirmed' })
    await settle()
    expect(context().tokens).toEqual(tokens)
    expect(toasts()?.map((toast) => toast.tone)).toEqual([tone])
  })

  test('a token expires after the chosen time, or at the end of the chosen day in the zone of the viewer', async () => {
    await ensureTemporal()
    const now = Date.parse('2026-10-24T12:00:00Z')
    expect(
      ['day', 'month', 'quarter', 'year', 'never'].map((one) =>
        isExpiry(one) ? expireTimeOf(one, '', now, 'Europe/Berlin') : '',
      ),
    ).toEqual([
      '2026-10-25T12:00:00.000Z',
      '2026-11-23T12:00:00.000Z',
      '2027-01-22T12:00:00.000Z',
      '2027-10-24T12:00:00.000Z',
      null,
    ])
    expect(expireTimeOf('date', '2026-10-24', now, 'Europe/Berlin')).toBe('2026-10-24T21:59:59.999Z')
    expect(expireTimeOf('date', '2026-10-25', now, 'Europe/Berlin')).toBe('2026-10-25T22:59:59.999Z')
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'list.retried' },
      { type: 'create.requested' },
      { type: 'create.cancelled' },
      { type: 'secret.copied', text: 'secret' },
      { type: 'secret.hidden' },
      { type: 'delete.requested', token: wall },
      { type: 'delete.confirmed' },
      { type: 'delete.cancelled' },
      { type: 'form.saved', answer: created, values: { name: 'backup', expireTime: 'month', date: '' } },
    ] satisfies TokensEvent[]
    const { declared, covered, strayed } = walkEdges(tokensMachine, {
      model: tokensMachine.provide({
        actions: {
          openForm: () => undefined,
          closeForm: () => undefined,
          raiseToast: () => undefined,
          notifyMissing: () => undefined,
        },
      }),
      input,
      events: [
        ...events,
        { type: 'xstate.done.actor.fetchTokens', output: { reply: ok({ items: [] }), at: 1 } },
        { type: 'xstate.done.actor.fetchTokens', output: { reply: refused(500, ''), at: 1 } },
        { type: 'xstate.done.actor.fetchTokens', output: { reply: refused(404, ''), at: 1 } },
        { type: 'xstate.error.actor.fetchTokens', error: new Error('not provided') },
        { type: 'xstate.done.actor.deleteToken', output: ok({}) },
        { type: 'xstate.done.actor.deleteToken', output: refused(500, '') },
        { type: 'xstate.error.actor.deleteToken', error: new Error('not provided') },
        { type: 'xstate.done.actor.copy', output: true },
        { type: 'xstate.done.actor.copy', output: false },
        { type: 'xstate.error.actor.copy', error: new Error('not provided') },
      ],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})

const isExpiry = (text: string): text is Parameters<typeof expireTimeOf>[0] =>
  ['day', 'month', 'quarter', 'year', 'never', 'date'].includes(text)
