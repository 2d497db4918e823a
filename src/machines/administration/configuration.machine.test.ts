import { fromPromise } from 'xstate'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConfigurationHistory, ServerConfiguration } from '../../api/contract/system.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { brokenText, changesBetween, type ConfigurationValues, flatten, nest } from './configuration-values.ts'
import { fieldsOf, parseField, validateFields } from './schema-fields.ts'
import { configurationFormMachine, configurationHistoryMachine, configurationMachine } from './configuration.machine.ts'

const found = ok<ServerConfiguration>({
  values: { title: 'A', mail: { host: 'h', ports: [1, 2] } },
  schema: { type: 'object' },
})

describe('the configuration page', () => {
  test('opens a form with the values, saves them and shows a toast', async () => {
    const sent: object[] = []
    const { value, context, toasts, received } = openPage(
      configurationMachine.provide({
        actors: {
          fetchConfiguration: fromPromise(async () => found),
          form: configurationFormMachine.provide({
            actors: {
              submit: fromPromise(async ({ input: { values } }) => {
                sent.push(values)
                return ok({ values: { title: 'A', mail: { host: 'other' }, password: '***' } })
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
    expect({ sent, toasts: toasts(), received, values: context().form?.getSnapshot().context.values }).toEqual({
      received: [{ type: 'settings.outdated' }],
      values: { title: 'A', 'mail.host': 'other', 'mail.ports': [1, 2], password: '***' },
      sent: [{ title: 'A', 'mail.host': 'other', 'mail.ports': [1, 2] }],
      toasts: [{ tone: 'success', code: 'configurationSaved', values: {} }],
    })
  })

  test('shows the history if the server has it, fetches it again after saving, and restores a version', async () => {
    let asked = 0
    const page = openPage(
      configurationMachine.provide({
        actors: {
          fetchConfiguration: fromPromise(async () => found),
          form: configurationFormMachine.provide({ actors: { submit: fromPromise(async () => ok({ values: {} })) } }),
          history: configurationHistoryMachine.provide({
            actors: {
              fetchResource: fromPromise(async () =>
                ok<ConfigurationHistory['items']>([
                  { id: String((asked += 1)), time: 0, login: 'ann', values: { title: 'B' } },
                ]),
              ),
            },
          }),
        },
      }),
      { ...pageInput(), settings: settingsOf({ features: ['configuration-history'] }) },
    )
    await settle()
    page.context().form?.send({ type: 'form.edited', values: { [brokenText]: '{' } })
    page.send({ type: 'version.restored', values: { title: 'B' } })
    expect(page.context().form?.getSnapshot().context.values).toEqual({
      title: 'B',
      'mail.host': 'h',
      'mail.ports': [1, 2],
    })
    page.context().form?.send({ type: 'form.submitted' })
    await settle()
    await settle()
    expect(page.context().history?.getSnapshot().context.value).toEqual([
      { id: '2', time: 0, login: 'ann', values: { title: 'B' } },
    ])
  })

  test('an invalid number, or one out of bounds, is an error before anything is sent', async () => {
    const schema = { properties: { port: { type: 'integer', minimum: 1, maximum: 9 }, rate: { type: 'number' } } }
    const page = openPage(
      configurationMachine.provide({
        actors: {
          fetchConfiguration: fromPromise(async () =>
            ok<ServerConfiguration>({ values: { port: 5, rate: 1.5 }, schema }),
          ),
        },
      }),
      pageInput(),
    )
    await settle()
    const { rate } = Object.fromEntries(fieldsOf(schema).map((field) => [field.path, parseField(field, '1e999')]))
    const edits = [{ port: 10 }, { port: 1.5 }, { port: 'x', rate: '' }, { port: 9, rate }, { port: 9, rate: 0.5 }]
    const errors = edits.map((values) => {
      page.context().form?.send({ type: 'form.edited', values })
      page.context().form?.send({ type: 'form.submitted' })
      return page.context().form?.getSnapshot().context.errors
    })
    expect(errors).toEqual([
      { port: 'outOfRange' },
      { port: 'invalidNumber' },
      { port: 'invalidNumber', rate: 'invalidNumber' },
      { rate: 'invalidNumber' },
      {},
    ])
  })

  test('a choice or a line that is typed is a value of the type that the schema allows', () => {
    const properties = {
      speed: { type: 'integer', enum: [10, 100] },
      mode: { enum: ['a', 1, true] },
      ports: { type: 'array', items: { type: 'integer' } },
      hosts: { type: 'array', items: { type: 'string' } },
      rate: { type: 'number' },
    }
    const typed: Record<string, string> = { speed: '100', mode: 'true', ports: '1\n x', hosts: '1', rate: '2.5' }
    expect(fieldsOf({ properties }).map((field) => parseField(field, typed[field.path] ?? ''))).toEqual([
      100,
      true,
      [1, 'x'],
      ['1'],
      2.5,
    ])
  })

  test('an optional number can be empty: null, or left out of what is sent', () => {
    const schema = {
      required: ['port'],
      properties: { port: { type: 'integer' }, rate: { type: 'number' }, limit: { type: ['integer', 'null'] } },
    }
    const fields = fieldsOf(schema)
    const cleared = Object.fromEntries(fields.map((field) => [field.path, parseField(field, ' ')]))
    expect(cleared).toEqual({ port: '', rate: undefined, limit: null })
    expect(validateFields(fields, cleared)).toEqual({ port: 'invalidNumber' })
    expect(JSON.stringify(nest(cleared))).toBe('{"port":"","limit":null}')
  })

  test('changes are listed by path, additions and removals too', () => {
    expect(changesBetween({ a: 1, b: [1], c: 2 }, { a: 1, b: [2], d: 3 })).toEqual([
      { path: 'b', before: [1], after: [2] },
      { path: 'c', before: 2, after: undefined },
      { path: 'd', before: undefined, after: 3 },
    ])
  })

  test('flattened values nest to the same again', () => {
    const name = fc.stringMatching(/^[a-z.~01]{1,6}$/)
    const { tree } = fc.letrec<{ tree: Record<string, unknown> }>((tie) => ({
      tree: fc.dictionary(
        name,
        fc.oneof({ depthSize: 'small' }, fc.integer(), fc.string(), fc.array(fc.integer()), tie('tree')),
        { maxKeys: 4 },
      ),
    }))
    fc.assert(
      fc.property(tree, (values) => {
        expect(nest(flatten(values))).toEqual(values)
      }),
    )
  })

  test('names with dots and empty objects are restored', () => {
    const values = { name: 'a', empty: {}, 'a.b': 1, list: [], mail: { 'x.y': { deep: true } } }
    const edited: ConfigurationValues = { ...flatten(values), name: 'b' }
    expect(nest(edited)).toEqual({ ...values, name: 'b' })
    expect(nest({ 'empty.more': 1, empty: {} })).toEqual({ empty: { more: 1 } })
    expect(nest({ 'mail.host': 'x', mail: undefined })).toEqual({ mail: { host: 'x' } })
    nest({ '__proto__.polluted': true })
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(
      fieldsOf({ properties: { 'a.b': { type: 'integer' } } }).map(({ path, title }) => [edited[path], title]),
    ).toEqual([[1, 'a.b']])
  })

  test('every edge of the chart is walked', () => {
    const { declared, covered, strayed } = walkEdges(configurationMachine, {
      model: configurationMachine.provide({ actions: { notifySaved: () => undefined } }),
      input: pageInput(),
      events: [
        { type: 'resource.retried' },
        { type: 'form.saved', answer: { values: {} }, values: {} },
        { type: 'version.restored', values: {} },
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
