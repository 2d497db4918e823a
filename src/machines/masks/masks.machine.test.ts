import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import { ok, refused, settingsOf, streamOf, userOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import type { StreamContentInput } from '../stream-pages/stream-page.machine.ts'
import { masksFormMachine, masksMachine } from './masks.machine.ts'

const window = { x: 0.2, y: 0.2, w: 0.4, h: 0.2 }
const stream = streamOf({ masks: [window] })
const input: StreamContentInput = { uid: 'gate', search: '', stream, settings: settingsOf(), user: userOf() }

function open(save: Reply<Stream> = ok(stream)) {
  const sent: object[] = []
  const page = openPage(
    masksMachine.provide({
      actors: {
        form: masksFormMachine.provide({
          actors: {
            submit: fromPromise(async ({ input: { values } }) => {
              sent.push(values)
              return save
            }),
          },
        }),
      },
    }),
    { ...pageInput(), ...input },
  )
  const masks = () => page.context().form.getSnapshot().context.values.masks
  return { ...page, sent, masks }
}

const draw = { type: 'stroke.begun', stroke: { kind: 'draw', from: { x: 0.7, y: 0.7 }, to: { x: 0.7, y: 0.7 } } }
const drawn = { x: 0.7, y: 0.7, w: 0.2, h: 0.1 }

describe('the masks of a stream', () => {
  test('are drawn by a stroke, each change can be undone, and all are saved together', async () => {
    const { send, masks, context, value, sent, toasts, received } = open()
    send(draw)
    send({ type: 'stroke.continued', to: { x: 0.9, y: 0.8 } })
    expect([value(), masks()]).toEqual(['stroking', [window]])
    send({ type: 'mask.added' })
    send({ type: 'stroke.ended' })
    expect([value(), masks(), context().chosen]).toEqual(['resting', [window, drawn], 1])
    send({ type: 'mask.moved', index: 1, by: { x: -0.1, y: 0 } })
    send({ type: 'mask.resized', index: 1, by: { x: 0, y: 0.05 } })
    send({ type: 'mask.removed', index: 0 })
    expect([masks(), context().chosen]).toEqual([[{ ...drawn, x: 0.6, h: 0.15 }], null])
    send({ type: 'changes.discarded' })
    expect(masks()).toEqual([window])
    send({ type: 'change.undone' })
    expect(masks()).toEqual([{ ...drawn, x: 0.6, h: 0.15 }])
    send({ type: 'change.undone' })
    send({ type: 'change.undone' })
    expect(masks()).toEqual([window, { ...drawn, x: 0.6 }])
    context().form.send({ type: 'form.submitted' })
    await settle()
    expect(sent).toEqual([{ uid: 'gate', masks: [window, { ...drawn, x: 0.6 }] }])
    expect(toasts()).toEqual([{ tone: 'success', code: 'masksSaved', values: {} }])
    expect(received).toEqual([{ type: 'stream.saved', stream }])
  })

  test('stay when a stroke is cancelled, is only a click, or changes nothing', () => {
    const { send, masks, context } = open()
    send(draw)
    send({ type: 'stroke.continued', to: { x: 0.9, y: 0.8 } })
    send({ type: 'stroke.cancelled' })
    send(draw)
    send({ type: 'stroke.ended' })
    const from = { x: 0.3, y: 0.3 }
    send({ type: 'stroke.begun', stroke: { kind: 'move', index: 0, from, to: from } })
    expect(context().chosen).toBe(0)
    send({ type: 'stroke.ended' })
    send({ type: 'change.undone' })
    expect([masks(), context().past, context().stroke]).toEqual([[window], [], null])
  })

  test('keep what was drawn when saving is refused', async () => {
    const { send, masks, context, toasts } = open(refused(500, 'InternalServerError'))
    send({ type: 'mask.added' })
    expect(context().chosen).toBe(1)
    const before = masks()
    context().form.send({ type: 'form.submitted' })
    await settle()
    expect([masks(), toasts()?.map(({ code }: { code: string }) => code)]).toEqual([before, ['InternalServerError']])
  })

  test('every edge of the chart is walked', () => {
    const walked = walkEdges(masksMachine, {
      model: masksMachine.provide({
        actions: { change: () => undefined, undo: () => undefined, notifyStream: () => undefined },
      }),
      input,
      events: [
        draw,
        { type: 'stroke.continued', to: { x: 0.9, y: 0.8 } },
        { type: 'stroke.ended' },
        { type: 'stroke.cancelled' },
        { type: 'mask.chosen', index: 0 },
        { type: 'mask.added' },
        { type: 'mask.moved', index: 0, by: { x: 0.1, y: 0 } },
        { type: 'mask.resized', index: 0, by: { x: 0.1, y: 0 } },
        { type: 'mask.removed', index: 0 },
        { type: 'change.undone' },
        { type: 'changes.discarded' },
        { type: 'form.saved', answer: stream, values: { uid: 'gate', masks: [] } },
      ],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(walked.strayed).toEqual([])
    expect(walked.covered).toEqual(walked.declared)
  })
})
