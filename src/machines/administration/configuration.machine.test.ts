import { fromPromise } from 'xstate'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ServerConfiguration } from '../../api/contract/system.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput, settle } from '../../../tests/machines/page.ts'
import { configurationFormMachine, configurationMachine, flatten, nest } from './configuration.machine.ts'

const found = ok<ServerConfiguration>({ values: { title: 'A', mail: { host: 'h', ports: [1, 2] } }, schema: { type: 'object' } })

describe('the configuration page', () => {
  test('opens a form over the values, saves them and says so', async () => {
    const sent: object[] = []
    const { value, context, toasts } = openPage(
      configurationMachine.provide({
        actors: {
          fetchConfiguration: fromPromise(async () => found),
          form: configurationFormMachine.provide({
            actors: {
              submit: fromPromise(async ({ input: { values } }) => {
                sent.push(values)
                return ok({})
              }),
            },
          }),
        },
      }),
      pageInput(),
    )
    await settle()
    expect(value()).toBe('open')
    context().form?.send({ type: 'form.edited', values: { 'mail.host': 'other' } })
    context().form?.send({ type: 'form.submitted' })
    await settle()
    expect({ sent, toasts: toasts() }).toEqual({
      sent: [{ title: 'A', 'mail.host': 'other', 'mail.ports': [1, 2] }],
      toasts: [{ tone: 'success', code: 'configurationSaved', values: {} }],
    })
  })

  test('what is flattened nests again to the same', () => {
    const name = fc.stringMatching(/^[a-z]{1,6}$/)
    const { tree } = fc.letrec<{ tree: Record<string, unknown> }>((tie) => ({
      tree: fc.dictionary(name, fc.oneof({ depthSize: 'small' }, fc.integer(), fc.string(), fc.array(fc.integer()), tie('tree')), { minKeys: 1, maxKeys: 4 }),
    }))
    fc.assert(
      fc.property(tree, (values) => {
        expect(nest(flatten(values))).toEqual(values)
      }),
    )
  })

  test('every edge of the chart is walked', () => {
    const { declared, covered, strayed } = walkEdges(configurationMachine, {
      model: configurationMachine,
      input: pageInput(),
      events: [
        { type: 'resource.retried' },
        { type: 'form.saved', answer: {}, values: {} },
        { type: 'xstate.done.actor.fetchConfiguration', output: found },
        { type: 'xstate.done.actor.fetchConfiguration', output: refused(500, '') satisfies Reply<never> },
        { type: 'xstate.error.actor.fetchConfiguration', error: new Error('not provided') },
      ],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
