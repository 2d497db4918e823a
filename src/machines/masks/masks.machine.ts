import { type ActorRefFrom, assign, enqueueActions, sendParent, setup } from 'xstate'
import type { Mask } from '../../api/contract/masks.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { raiseToast } from '../notifications/toast.ts'
import { pictureMachine } from '../stream-pages/picture.machine.ts'
import type { StreamContentInput, StreamSaved } from '../stream-pages/stream-page.machine.ts'
import {
  afterStroke,
  areSame,
  type Corner,
  movedBy,
  replaced,
  resizedBy,
  type Stroke,
  withAdded,
  withoutMask,
} from './mask-shapes.ts'
import type { Point } from '../picture-points.ts'

export interface MaskValues {
  uid: string
  masks: readonly Mask[]
}

export const masksFormMachine = formMachineOf<MaskValues, Stream>({ draft: (changed) => changed })

type Event =
  | FormReport<MaskValues, Stream>
  | { type: 'stroke.begun'; stroke: Stroke }
  | { type: 'stroke.continued'; to: Point }
  | { type: 'stroke.ended' }
  | { type: 'stroke.cancelled' }
  | { type: 'mask.chosen'; index: number | null }
  | { type: 'mask.added' }
  | { type: 'mask.moved'; index: number; by: Point }
  | { type: 'mask.resized'; index: number; by: Point }
  | { type: 'mask.removed'; index: number }
  | { type: 'change.undone' }
  | { type: 'changes.discarded' }

interface Context {
  form: ActorRefFrom<typeof masksFormMachine>
  picture: ActorRefFrom<typeof pictureMachine>
  /** The masks before each change, for undo; the latest last. */
  past: readonly (readonly Mask[])[]
  /** The index of the selected mask. */
  chosen: number | null
  stroke: Stroke | null
}

interface Change {
  masks: readonly Mask[]
  chosen: number | null
}

const maxUndoSteps = 100

/** The corner that the keys for resizing move. */
const bottomRight: Corner = { x: 1, y: 1 }

/**
 * The privacy masks of a stream, edited over its newest picture without masks. A pointer draws, moves or resizes a mask
 * by one stroke; keys and buttons change masks in steps. Each change can be undone; all are saved together. After
 * saving, a toast is raised and the page gets the saved stream.
 */
export const masksMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as StreamContentInput },
  actors: { form: masksFormMachine, picture: pictureMachine },
  actions: {
    change: enqueueActions(({ context: { form, past }, enqueue }, { masks, chosen }: Change) => {
      const before = masksIn(form)
      enqueue.assign({ chosen })
      if (areSame(masks, before)) return
      enqueue.assign({ past: [...past, before].slice(-maxUndoSteps) })
      enqueue.sendTo(form, { type: 'form.edited', values: { masks } })
    }),
    choose: assign((_, { index }: { index: number | null }) => ({ chosen: index })),
    undo: enqueueActions(({ context: { form, past }, enqueue }) => {
      const before = past.at(-1)
      if (before === undefined) return
      enqueue.assign({ past: past.slice(0, -1), chosen: null })
      enqueue.sendTo(form, { type: 'form.edited', values: { masks: before } })
    }),
    beginStroke: assign((_, { stroke }: { stroke: Stroke }) => ({
      stroke,
      chosen: stroke.kind === 'draw' ? null : stroke.index,
    })),
    continueStroke: assign(({ context: { stroke } }, { to }: { to: Point }) => ({
      stroke: stroke === null ? null : { ...stroke, to },
    })),
    forgetStroke: assign({ stroke: null }),
    notifySaved: enqueueActions(({ enqueue, system }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'masksSaved' })
    }),
    notifyStream: sendParent((_args, { stream }: { stream: Stream }): StreamSaved => ({
      type: 'stream.saved',
      stream,
    })),
  },
}).createMachine({
  id: 'masks',
  context: ({ input: { uid, stream }, spawn }) => ({
    form: spawn('form', { id: 'form', input: { values: { uid, masks: stream.masks ?? [] }, facts: null } }),
    picture: spawn('picture', { id: 'picture', input: { uid } }),
    past: [],
    chosen: null,
    stroke: null,
  }),
  initial: 'resting',
  on: {
    'form.saved': {
      actions: ['notifySaved', { type: 'notifyStream', params: ({ event }) => ({ stream: event.answer }) }],
    },
  },
  states: {
    resting: {
      on: {
        'stroke.begun': { target: 'stroking', actions: { type: 'beginStroke', params: ({ event }) => event } },
        'mask.chosen': { actions: { type: 'choose', params: ({ event }) => event } },
        'mask.added': {
          actions: { type: 'change', params: ({ context }) => withNewest(withAdded(masksIn(context.form))) },
        },
        'mask.moved': {
          actions: {
            type: 'change',
            params: ({ context, event: { index, by } }) => ({
              masks: replaced(masksIn(context.form), index, (mask) => movedBy(mask, by)),
              chosen: index,
            }),
          },
        },
        'mask.resized': {
          actions: {
            type: 'change',
            params: ({ context, event: { index, by } }) => ({
              masks: replaced(masksIn(context.form), index, (mask) => resizedBy(mask, bottomRight, by)),
              chosen: index,
            }),
          },
        },
        'mask.removed': {
          actions: {
            type: 'change',
            params: ({ context, event }) => ({ masks: withoutMask(masksIn(context.form), event.index), chosen: null }),
          },
        },
        'change.undone': { actions: 'undo' },
        'changes.discarded': {
          actions: { type: 'change', params: ({ context }) => ({ masks: savedIn(context.form), chosen: null }) },
        },
      },
    },
    stroking: {
      on: {
        'stroke.continued': { actions: { type: 'continueStroke', params: ({ event }) => event } },
        'stroke.ended': {
          target: 'resting',
          actions: [{ type: 'change', params: ({ context }) => afterStrokeOf(context) }, 'forgetStroke'],
        },
        'stroke.cancelled': { target: 'resting', actions: 'forgetStroke' },
      },
    },
  },
})

const masksIn = (form: Context['form']): readonly Mask[] => form.getSnapshot().context.values.masks

const savedIn = (form: Context['form']): readonly Mask[] => form.getSnapshot().context.saved.masks

const withNewest = (masks: readonly Mask[]): Change => ({ masks, chosen: masks.length - 1 })

function afterStrokeOf({ form, stroke }: Context): Change {
  const before = masksIn(form)
  if (stroke === null) return { masks: before, chosen: null }
  const masks = afterStroke(before, stroke)
  if (stroke.kind !== 'draw') return { masks, chosen: stroke.index }
  return masks.length > before.length ? withNewest(masks) : { masks, chosen: null }
}
