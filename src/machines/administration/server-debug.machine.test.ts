import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { LogLine } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { tailMachine } from '../log-tail/tail.machine.ts'
import { serverDebugMachine } from './server-debug.machine.ts'

describe('server debug', () => {
  test('fetches the bundle on request, and shows an error if that fails', async () => {
    const replies: Reply<unknown>[] = [ok({}), refused(500, 'InternalServerError')]
    const tail = tailMachine.provide({
      actors: { fetchLines: fromPromise(async (): Promise<Reply<{ items: readonly LogLine[] }>> => ok({ items: [] })) },
    })
    const page = openPage(
      serverDebugMachine.provide({ actors: { tail, saveBundle: fromPromise(async () => replies.shift() ?? ok({})) } }),
      pageInput(),
    )
    page.send({ type: 'bundle.requested' })
    expect(page.value()).toBe('bundling')
    await settle()
    expect({ value: page.value(), toasts: page.toasts() }).toEqual({ value: 'watching', toasts: [] })
    page.send({ type: 'bundle.requested' })
    await settle()
    expect({ value: page.value(), toasts: page.toasts() }).toEqual({
      value: 'watching',
      toasts: [{ tone: 'error', code: 'InternalServerError', values: {} }],
    })
  })

  test('offers it only if the server has the feature', () => {
    const offered = [[], ['support-bundle']].map(
      (features) =>
        openPage(serverDebugMachine, { ...pageInput(), settings: settingsOf({ features }) }).context().hasBundle,
    )
    expect(offered).toEqual([false, true])
  })

  test('every edge of the chart is walked', () => {
    const { declared, covered, strayed } = walkEdges(serverDebugMachine, {
      model: serverDebugMachine,
      input: pageInput(),
      events: [
        { type: 'bundle.requested' },
        { type: 'xstate.done.actor.saveBundle', output: ok({}) },
        { type: 'xstate.done.actor.saveBundle', output: refused(500, '') },
        { type: 'xstate.error.actor.saveBundle', error: new Error('away') },
      ],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
