import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { ApiError, Reply } from '../../api/reply.ts'
import { busy, noAnswer, ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { type ResourceEvent, resourceMachineOf } from './resource.machine.ts'

type Command = 'drain' | 'remove'

const machine = resourceMachineOf<string, number, Command>({
  pollMs: 5000,
  queryOf: ({ address }) => address.search.length,
  isSubject: true,
  needsConfirmation: ({ details }) => 'locks' in details,
})

const locked: ApiError = { ...noAnswer, status: 409, details: { locks: [] } }

function open(
  answer: (query: number) => Promise<Reply<string>>,
  perform: (command: Command) => Promise<Reply<unknown>> = async () => ok({}),
) {
  const sent: string[] = []
  const page = openPage(
    machine.provide({
      actors: {
        fetchResource: fromPromise(({ input: { query } }) => answer(query)),
        perform: fromPromise(async ({ input: { command }, signal }) => {
          sent.push(command)
          signal.addEventListener('abort', () => sent.push(`${command} aborted`))
          return perform(command)
        }),
      },
    }),
    pageInput(),
  )
  return { ...page, sent, data: () => page.value().data }
}

describe('a resource of a page', () => {
  test('is fetched at once, again after its interval, and not while the page is hidden', async () => {
    let asked = 0
    const { clock, data, send } = open(async () => ok(`answer ${(asked += 1)}`))
    await settle()
    expect({ data: data(), asked }).toEqual({ data: 'shown', asked: 1 })
    clock.increment(5000)
    await settle()
    expect(asked).toBe(2)
    send({ type: 'page.hidden' })
    clock.increment(60_000)
    await settle()
    expect({ data: data(), asked }).toEqual({ data: 'resting', asked: 2 })
    send({ type: 'page.shown' })
    await settle()
    expect(asked).toBe(3)
  })

  test('keeps the last value when the server refuses, and recovers', async () => {
    const answers: Reply<string>[] = [ok('first'), refused(503, 'Unavailable'), ok('second')]
    const { clock, context, data } = open(async () => answers.shift() ?? refused(500, ''))
    await settle()
    clock.increment(5000)
    await settle()
    expect({ data: data(), known: context().value, code: context().apiError?.code }).toEqual({
      data: 'failed',
      known: 'first',
      code: 'Unavailable',
    })
    clock.increment(5000)
    await settle()
    expect({ known: context().value, apiError: context().apiError }).toEqual({ known: 'second', apiError: null })
  })

  test('is fetched again no sooner than the server requires', async () => {
    const answers: Reply<string>[] = [busy(30)]
    const { clock, data, context } = open(async () => answers.shift() ?? ok('late'))
    await settle()
    clock.increment(29_999)
    await settle()
    expect(data()).toBe('failed')
    clock.increment(1)
    await settle()
    expect(context().value).toBe('late')
  })

  test('is fetched for a new query, and again after a command', async () => {
    const queries: number[] = []
    const { send, sent } = open(async (query) => {
      queries.push(query)
      return ok('')
    })
    await settle()
    send({ type: 'query.changed', query: 7 })
    await settle()
    send({ type: 'command.requested', command: 'drain' })
    await settle()
    expect({ queries, sent }).toEqual({ queries: [0, 7, 7], sent: ['drain'] })
  })

  test('is fetched again when asked to while an answer is on its way, which may be of before a change', async () => {
    const answers: PromiseWithResolvers<Reply<string>>[] = []
    const { send, context } = open(() => {
      const answer = Promise.withResolvers<Reply<string>>()
      answers.push(answer)
      return answer.promise
    })
    send({ type: 'resource.retried' })
    answers[1]?.resolve(ok('new'))
    await settle()
    answers[0]?.resolve(ok('old'))
    await settle()
    expect([answers.length, context().value]).toEqual([2, 'new'])
  })

  test('a refused command shows a toast and changes nothing', async () => {
    const { send, toasts, value } = open(
      async () => ok('as before'),
      async () => refused(409, 'ActionNotAcceptable'),
    )
    await settle()
    send({ type: 'command.requested', command: 'drain' })
    await settle()
    expect({ value: value(), toasts: toasts() }).toEqual({
      value: { data: 'shown', command: 'idle' },
      toasts: [{ tone: 'error', code: 'ActionNotAcceptable', values: {} }],
    })
  })

  test('a command that needs a confirmation shows no toast, and is kept until the user sends or drops it', async () => {
    const { context, send, toasts } = open(
      async () => ok(''),
      async (command) => (command === 'drain' ? ok({}) : { ok: false, apiError: locked }),
    )
    const unconfirmed = { command: 'remove', apiError: locked }
    await settle()
    send({ type: 'command.requested', command: 'remove' })
    await settle()
    expect({ unconfirmed: context().unconfirmed, toasts: toasts() }).toEqual({ unconfirmed, toasts: [] })
    send({ type: 'command.dropped' })
    expect(context().unconfirmed).toBeNull()
    send({ type: 'command.requested', command: 'remove' })
    await settle()
    expect(context().unconfirmed).toEqual(unconfirmed)
    send({ type: 'command.requested', command: 'drain' })
    expect(context().unconfirmed).toBeNull()
  })

  test('commands are performed one after another, each with its own error, also while the query changes', async () => {
    const answers = { drain: refused(409, 'ActionNotAcceptable'), remove: refused(403, 'Forbidden') }
    const waiting: (() => void)[] = []
    const { send, sent, toasts } = open(
      async () => ok(''),
      (command) => new Promise((resolve) => waiting.push(() => resolve(answers[command]))),
    )
    await settle()
    send({ type: 'command.requested', command: 'drain' })
    send({ type: 'command.requested', command: 'remove' })
    send({ type: 'query.changed', query: 7 })
    await settle()
    expect(sent).toEqual(['drain'])
    waiting.shift()?.()
    await settle()
    waiting.shift()?.()
    await settle()
    expect({ sent, codes: toasts()?.map(({ code }) => code) }).toEqual({
      sent: ['drain', 'remove'],
      codes: ['ActionNotAcceptable', 'Forbidden'],
    })
  })

  test('a page that was hidden meanwhile asks no sooner than the server requires', async () => {
    let asked = 0
    const { clock, send } = open(async () => (asked++ === 0 ? busy(30) : ok('late')))
    await settle()
    send({ type: 'page.hidden' })
    send({ type: 'page.shown' })
    clock.increment(29_999)
    await settle()
    expect(asked).toBe(1)
    clock.increment(1)
    await settle()
    expect(asked).toBe(2)
  })

  test('a page that is hidden during a command is fetched again when it is shown, and not before', async () => {
    let asked = 0
    let answer = () => {}
    const { clock, send } = open(
      async () => ok(`answer ${(asked += 1)}`),
      () => new Promise((resolve) => (answer = () => resolve(ok({})))),
    )
    await settle()
    send({ type: 'command.requested', command: 'drain' })
    send({ type: 'page.hidden' })
    answer()
    await settle()
    send({ type: 'query.changed', query: 7 })
    clock.increment(60_000)
    await settle()
    expect(asked).toBe(1)
    send({ type: 'page.shown' })
    await settle()
    expect(asked).toBe(2)
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'query.changed', query: 1 },
      { type: 'resource.retried' },
      { type: 'command.requested', command: 'drain' },
      { type: 'command.dropped' },
      { type: 'command.performed' },
      { type: 'page.hidden' },
      { type: 'page.shown' },
    ] satisfies ResourceEvent<number, Command>[]
    const { declared, covered, strayed } = walkEdges(machine, {
      model: machine.provide({ actions: { notifyMissing: () => undefined } }),
      input: pageInput(),
      events: [
        ...events,
        { type: 'xstate.done.actor.fetchResource', output: ok('') },
        { type: 'xstate.done.actor.fetchResource', output: refused(500, '') },
        { type: 'xstate.done.actor.fetchResource', output: refused(404, '') },
        { type: 'xstate.done.actor.fetchResource', output: busy(30) },
        { type: 'xstate.error.actor.fetchResource', error: new Error('not provided') },
        { type: 'xstate.done.actor.perform', output: ok({}) },
        { type: 'xstate.done.actor.perform', output: refused(500, '') },
        { type: 'xstate.done.actor.perform', output: { ok: false, apiError: locked } },
        { type: 'xstate.error.actor.perform', error: new Error('not provided') },
        { type: 'xstate.after.pollInterval.resource.data.shown' },
        { type: 'xstate.after.pollInterval.resource.data.failed' },
      ],
      name: ({ value, context }) => `${JSON.stringify(value)} ${context.apiError?.retryAfterSeconds}`,
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
