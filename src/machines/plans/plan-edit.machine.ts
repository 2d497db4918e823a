import { type ActorRefFrom, assertEvent, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { Plan, PlanCamera } from '../../api/contract/plans.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.events.ts'
import { notProvided } from '../not-provided.ts'
import { afterPageRequest, handlePageApiError } from '../notifications/page-error.ts'
import { raiseToast } from '../notifications/toast.ts'
import type { Point } from '../picture-points.ts'
import { afterCameraStroke, type CameraChange, camerasAfter, type CameraStroke } from './plan-shapes.ts'
import {
  areSame,
  type NewPicture,
  type PictureProblem,
  planForm,
  type PlanValues,
  planValuesOf,
  type UndoStep,
} from './plan-values.ts'

/** What the page fetches. */
export interface KnownPlan {
  plan: Plan
  picture: Blob | null
  /** All streams, which can be placed on the plan as cameras. */
  streams: readonly { readonly uid: string; readonly name: string }[]
}

export type PictureReading = { readonly picture: NewPicture } | { readonly problem: PictureProblem }
export type PlanEditEvent =
  | { type: 'plan.retried' }
  | { type: 'search.changed'; searched: string }
  | { type: 'stroke.begun'; stroke: CameraStroke }
  | { type: 'stroke.continued'; to: Point }
  | { type: 'stroke.ended' }
  | { type: 'stroke.cancelled' }
  | { type: 'camera.chosen'; uid: string | null }
  | { type: 'camera.changed'; change: CameraChange }
  | { type: 'picture.chosen'; file: Blob }
  | { type: 'change.undone' }
  | { type: 'changes.discarded' }
  | FormReport<PlanValues, object>

interface Context {
  id: string
  known: KnownPlan | null
  form: ActorRefFrom<typeof planForm> | null
  apiError: ApiError | null
  searched: string
  /** Cameras and picture before each change, for undo; the latest last. */
  past: readonly UndoStep[]
  /** The uid of the selected camera. */
  chosen: string | null
  stroke: CameraStroke | null
  pictureProblem: PictureProblem | null
}

const maxUndoSteps = 100
const noCameras: readonly PlanCamera[] = []
const chosenAfter = ({ kind, uid }: CameraChange): string | null => (kind === 'remove' ? null : uid)

const withPicture = ({ plan, ...known }: KnownPlan, { file, width, height }: NewPicture): KnownPlan => ({
  ...known,
  plan: { ...plan, width, height },
  picture: file,
})

const valuesIn = ({ form }: Pick<Context, 'form'>) => form?.getSnapshot().context.values
const camerasIn = (context: Pick<Context, 'form'>) => valuesIn(context)?.cameras ?? noCameras
const toSaved = ({ context: { form } }: { context: Context }) => ({
  changed: { cameras: form?.getSnapshot().context.saved.cameras ?? noCameras, picture: null },
})

/**
 * Edits a floor plan: fetched with its picture and all streams, then changed in a form. A pointer moves or turns a
 * camera by one stroke; keys and buttons change it in steps. A picture is read and checked before it is shown. Each
 * change can be undone; all are saved together.
 */
export const planEditMachine = setup({
  types: { context: {} as Context, events: {} as PlanEditEvent, input: {} as PageInput },
  actors: {
    form: planForm,
    fetchPlan: fromPromise<Reply<KnownPlan>, { id: string }>(notProvided),
    readPicture: fromPromise<PictureReading, { file: Blob }>(notProvided),
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    notifyMissing: sendParent({ type: 'page.missing' }),
    assignPlan: assign(({ spawn }, { reply }: { reply: Reply<KnownPlan> }) => {
      if (!reply.ok) return {}
      const values = planValuesOf(reply.value.plan)
      return { known: reply.value, apiError: null, form: spawn('form', { id: 'form', input: { values, facts: null } }) }
    }),
    change: enqueueActions(({ context, enqueue }, { changed }: { changed: Partial<UndoStep> }) => {
      const values = valuesIn(context)
      if (context.form === null || values === undefined) return
      const before: UndoStep = { cameras: values.cameras, picture: values.picture }
      if (areSame(before, { ...before, ...changed })) return
      enqueue.assign({ past: [...context.past, before].slice(-maxUndoSteps) })
      enqueue.sendTo(context.form, { type: 'form.edited', values: changed })
    }),
    choose: assign((_args, { uid }: { uid: string | null }) => ({ chosen: uid })),
    undo: enqueueActions(({ context: { form, past }, enqueue }) => {
      const before = past.at(-1)
      if (form === null || before === undefined) return
      enqueue.assign({ past: past.slice(0, -1), pictureProblem: null })
      enqueue.sendTo(form, { type: 'form.edited', values: before })
    }),
    beginStroke: assign((_args, { stroke }: { stroke: CameraStroke }) => ({ stroke, chosen: stroke.uid })),
    continueStroke: assign(({ context: { stroke } }, { to }: { to: Point }) => ({
      stroke: stroke === null ? null : { ...stroke, to },
    })),
    forgetStroke: assign({ stroke: null }),
    forgetProblem: assign({ pictureProblem: null }),
    assignProblem: assign((_args, { reading }: { reading: PictureReading }) => ({
      pictureProblem: 'problem' in reading ? reading.problem : null,
    })),
    assignSaved: assign(({ context: { known } }, { picture }: { picture: NewPicture | null }) => ({
      past: [],
      known: known === null || picture === null ? known : withPicture(known, picture),
    })),
    notifySaved: enqueueActions(({ enqueue, system }, { name }: { name: string }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'planSaved', values: { name } })
    }),
  },
}).createMachine({
  id: 'planEdit',
  context: ({ input }) => ({
    id: input.params['id'] ?? '',
    known: null,
    form: null,
    apiError: null,
    searched: '',
    past: [],
    chosen: null,
    stroke: null,
    pictureProblem: null,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchPlan',
        src: 'fetchPlan',
        input: ({ context }) => ({ id: context.id }),
        ...afterPageRequest<KnownPlan>()('open', 'assignPlan'),
      },
    },
    failed: { tags: 'error', on: { 'plan.retried': 'loading' } },
    open: {
      type: 'parallel',
      on: {
        'search.changed': { actions: assign({ searched: ({ event }) => event.searched }) },
        'form.saved': {
          actions: [
            { type: 'assignSaved', params: ({ event }) => event.values },
            { type: 'notifySaved', params: ({ event }) => ({ name: event.values.title.trim() }) },
          ],
        },
      },
      states: {
        cameras: {
          initial: 'resting',
          states: {
            resting: {
              on: {
                'stroke.begun': { target: 'stroking', actions: { type: 'beginStroke', params: ({ event }) => event } },
                'camera.chosen': { actions: { type: 'choose', params: ({ event }) => event } },
                'camera.changed': {
                  actions: [
                    {
                      type: 'change',
                      params: ({ context, event }) => ({
                        changed: { cameras: camerasAfter(camerasIn(context), event.change) },
                      }),
                    },
                    { type: 'choose', params: ({ event: { change } }) => ({ uid: chosenAfter(change) }) },
                  ],
                },
                'change.undone': { actions: 'undo' },
                'changes.discarded': { actions: { type: 'change', params: toSaved } },
              },
            },
            stroking: {
              on: {
                'stroke.continued': { actions: { type: 'continueStroke', params: ({ event }) => event } },
                'stroke.ended': {
                  target: 'resting',
                  actions: [
                    {
                      type: 'change',
                      params: ({ context }) => ({
                        changed: { cameras: afterCameraStroke(camerasIn(context), context.stroke) },
                      }),
                    },
                    'forgetStroke',
                  ],
                },
                'stroke.cancelled': { target: 'resting', actions: 'forgetStroke' },
              },
            },
          },
        },
        picture: {
          initial: 'settled',
          on: { 'picture.chosen': '.reading', 'changes.discarded': { target: '.settled', actions: 'forgetProblem' } },
          states: {
            settled: {},
            reading: {
              tags: 'busy',
              invoke: {
                id: 'readPicture',
                src: 'readPicture',
                input: ({ event }) => {
                  assertEvent(event, 'picture.chosen')
                  return { file: event.file }
                },
                onDone: {
                  target: 'settled',
                  actions: [
                    { type: 'assignProblem', params: ({ event }) => ({ reading: event.output }) },
                    {
                      type: 'change',
                      params: ({ event: { output } }) => ({
                        changed: 'picture' in output ? { picture: output.picture } : {},
                      }),
                    },
                  ],
                },
                onError: {
                  target: 'settled',
                  actions: { type: 'assignProblem', params: { reading: { problem: 'unreadable' } } },
                },
              },
            },
          },
        },
      },
    },
  },
})
