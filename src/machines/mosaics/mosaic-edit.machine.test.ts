import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import { Mosaic } from '../../api/contract/mosaic.ts'
import { Stream } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { mosaicEditMachine, mosaicFormMachine, streamChoiceMachine } from './mosaic-edit.machine.ts'
import { added, refitted } from './mosaic-grid.ts'

const wall = Mosaic.parse({ id: 'm1', name: 'Wall', columns: 2, rows: 1, cells: [{ streamUid: 'gate' }] })

function open(
  params: Record<string, string>,
  answer: Reply<Mosaic> = ok(wall),
  save: Reply<{ id: string }> = ok({ id: 'm1' }),
  found: (readonly Stream[])[] = [],
) {
  const sent: object[] = []
  const page = openPage(
    mosaicEditMachine.provide({
      actors: {
        fetchMosaic: fromPromise(async () => answer),
        form: mosaicFormMachine.provide({
          actors: {
            submit: fromPromise(async ({ input: { values } }) => {
              sent.push(values)
              return save
            }),
          },
        }),
        streamChoice: streamChoiceMachine.provide({
          actors: { fetchResource: fromPromise(async () => ok<readonly Stream[]>(found.shift() ?? [])) },
        }),
      },
    }),
    pageInput({ params }),
  )
  return { ...page, sent, values: () => page.context().form?.getSnapshot().context.values }
}

describe('editing a mosaic', () => {
  test('a new one starts empty, is saved, and then watched', async () => {
    const { values, context, sent, received } = open({})
    expect(values()).toEqual({ id: '', name: '', columns: 2, rows: 2, cells: [] })
    context().form?.send({ type: 'form.edited', values: { name: 'Wall' } })
    context().form?.send({ type: 'form.submitted' })
    await settle()
    expect({ sent, received }).toEqual({
      sent: [{ id: '', name: 'Wall', columns: 2, rows: 2, cells: [] }],
      received: [{ type: 'navigation.requested', href: '/mosaic/m1' }],
    })
  })

  test('what is edited while a new one is being saved is saved into it', async () => {
    const { values, context, sent } = open({})
    const form = context().form
    form?.send({ type: 'form.edited', values: { name: 'Wall' } })
    form?.send({ type: 'form.submitted' })
    form?.send({ type: 'form.edited', values: { name: 'Wall 2' } })
    await settle()
    expect(values()).toEqual({ id: 'm1', name: 'Wall 2', columns: 2, rows: 2, cells: [] })
    form?.send({ type: 'form.edited', values: { columns: 3 } })
    form?.send({ type: 'form.submitted' })
    await settle()
    expect(sent).toEqual([
      { id: '', name: 'Wall', columns: 2, rows: 2, cells: [] },
      { id: 'm1', name: 'Wall 2', columns: 3, rows: 2, cells: [] },
    ])
  })

  test('an existing one is fetched first, and each change of the grid can be undone', async () => {
    const { values, send, context } = open({ id: 'm1' })
    await settle()
    const before = values()
    if (before === undefined) throw new Error('no form')
    const bigger = refitted(before, { columns: 2, rows: 2 })
    send({ type: 'grid.changed', grid: bigger })
    send({ type: 'grid.changed', grid: added(bigger, 'yard') })
    expect(values()?.cells.map(({ streamUid }: { streamUid: string }) => streamUid)).toEqual(['gate', 'yard'])
    send({ type: 'grid.undone' })
    expect(values()?.cells.map(({ streamUid }: { streamUid: string }) => streamUid)).toEqual(['gate'])
    send({ type: 'grid.undone' })
    send({ type: 'grid.undone' })
    expect({ values: values(), past: context().past }).toEqual({ values: before, past: [] })
  })

  test('tiles keep their names, whatever is searched for', async () => {
    const streams = ['gate', 'yard'].map((uid) => Stream.parse({ uid, name: `The ${uid}`, status: 'running' }))
    const { send, context } = open({ id: 'm1' }, ok({ ...wall, streams: streams.slice(0, 1) }), ok({ id: 'm1' }), [
      streams.slice(1),
      [],
    ])
    await settle()
    send({ type: 'grid.changed', grid: added(refitted(wall, { columns: 2, rows: 2 }), 'yard') })
    context().streamChoice?.send({ type: 'query.changed', query: { words: 'none' } })
    await settle()
    expect(context().names).toEqual(
      new Map([
        ['gate', 'The gate'],
        ['yard', 'The yard'],
      ]),
    )
  })

  test("one that doesn't exist leads to not-found", async () => {
    const { received, value } = open({ id: 'm1' }, refused(400, 'ValidationError'))
    await settle()
    expect({ received, value: value() }).toEqual({ received: [{ type: 'page.missing' }], value: 'missing' })
  })

  test('every edge of the chart is walked', () => {
    const still = () => undefined
    const walk = (params: Record<string, string>) =>
      walkEdges(mosaicEditMachine, {
        model: mosaicEditMachine.provide({
          actions: {
            open: still,
            describe: still,
            notifyMissing: still,
            change: still,
            undo: still,
            openMosaic: still,
          },
        }),
        input: pageInput({ params }),
        events: [
          { type: 'grid.changed', grid: wall },
          { type: 'grid.undone' },
          { type: 'mosaic.retried' },
          { type: 'form.saved', answer: { id: 'm1' }, values: { ...wall } },
          { type: 'xstate.done.actor.fetchMosaic', output: ok(wall) },
          { type: 'xstate.done.actor.fetchMosaic', output: refused(404, 'NotFound') },
          { type: 'xstate.done.actor.fetchMosaic', output: refused(500, '') },
          { type: 'xstate.error.actor.fetchMosaic', error: new Error('not provided') },
        ],
        name: ({ value }) => JSON.stringify(value),
      })
    const [known, fresh] = [walk({ id: 'm1' }), walk({})]
    expect([...known.strayed, ...fresh.strayed]).toEqual([])
    expect([...new Set([...known.covered, ...fresh.covered])].toSorted()).toEqual(known.declared)
  })
})
