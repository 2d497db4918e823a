import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { Plan } from '../../api/contract/plans.ts'
import type { Reply } from '../../api/reply.ts'
import { raiseFault, raiseRefusal } from '../api-errors.ts'
import type { PageInput } from '../app/app.events.ts'
import { pathTo } from '../app/routes.ts'
import { notProvided } from '../not-provided.ts'
import { raiseErrorToast } from '../notifications/toast.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import { previewsMachine } from '../streams/previews.machine.ts'

export interface ShownPlan {
  plan: Plan
  /** `version` is that of `plan.picture`. Null: the plan has no picture, or it couldn't be fetched. */
  picture: { version: string; file: Blob } | null
}

export const planResourceMachine = resourceMachineOf<ShownPlan, { id: string }>({
  pollMs: 10_000,
  queryOf: ({ params }) => ({ id: params['id'] ?? '' }),
  isSubject: true,
})

export type PlanEvent =
  | { type: 'camera.pointed'; uid: string | null }
  | { type: 'choice.toggled' }
  | { type: 'camera.toggled'; uid: string }
  | { type: 'choice.cleared' }
  | { type: 'mosaic.requested' }
  | { type: 'page.missing' }

interface Context {
  resource: ActorRefFrom<typeof planResourceMachine>
  previews: ActorRefFrom<typeof previewsMachine>
  /** The uid of the camera whose picture is shown. */
  pointed: string | null
  /** The uids of the selected cameras. */
  chosen: ReadonlySet<string>
}

/** As many as a mosaic can have tiles. */
export const maxChosen = 36

/** The uids of the selected cameras that are still on the plan, in the order of selection. */
export function chosenOn(shown: ShownPlan | null, chosen: ReadonlySet<string>): readonly string[] {
  const cameras = new Set(shown?.plan.cameras.map(({ streamId }) => streamId))
  return [...chosen].filter((uid) => cameras.has(uid))
}

/**
 * A floor plan: polled every 10 s; its picture is fetched again when it changes. The camera that the user points at
 * shows its newest picture. In `choosing` a click selects or deselects a camera; the selected ones open as a mosaic.
 */
export const planMachine = setup({
  types: { context: {} as Context, events: {} as PlanEvent, input: {} as PageInput },
  actors: {
    resource: planResourceMachine,
    previews: previewsMachine,
    /** The id of a mosaic with these streams: one that exists, or a new one with this name. */
    openMosaic: fromPromise<Reply<{ id: string }>, { name: string; uids: readonly string[] }>(notProvided),
  },
  actions: {
    notifyMissing: sendParent({ type: 'page.missing' }),
    point: enqueueActions(({ context: { previews }, enqueue }, { uid }: { uid: string | null }) => {
      enqueue.assign({ pointed: uid })
      enqueue.sendTo(previews, { type: 'previews.requested', subjects: uid === null ? [] : [{ uid, isMoving: true }] })
    }),
    toggle: assign(({ context }, { uid }: { uid: string }) => {
      const chosen = new Set(context.chosen)
      if (!chosen.delete(uid) && chosen.size < maxChosen) chosen.add(uid)
      return { chosen }
    }),
    clear: assign({ chosen: new Set() }),
    goToMosaic: enqueueActions(({ enqueue }, { reply }: { reply: Reply<{ id: string }> }) => {
      if (!reply.ok) return
      enqueue.sendParent({ type: 'navigation.requested', href: pathTo('mosaic', { id: reply.value.id }) })
    }),
    raiseApiError: enqueueActions(raiseErrorToast),
  },
  guards: {
    isOk: (_args, { reply }: { reply: Reply<unknown> }) => reply.ok,
    hasChosen: ({ context }) => context.chosen.size > 0,
  },
}).createMachine({
  id: 'plan',
  context: ({ input, spawn }) => ({
    resource: spawn('resource', { id: 'resource', input }),
    previews: spawn('previews', { id: 'previews' }),
    pointed: null,
    chosen: new Set(),
  }),
  on: {
    'page.missing': { actions: 'notifyMissing' },
    'camera.pointed': { actions: { type: 'point', params: ({ event }) => event } },
  },
  initial: 'watching',
  states: {
    watching: {
      on: {
        'choice.toggled': 'choosing',
        'camera.toggled': { target: 'choosing', actions: { type: 'toggle', params: ({ event }) => event } },
      },
    },
    choosing: {
      on: {
        'camera.toggled': { actions: { type: 'toggle', params: ({ event }) => event } },
        'choice.toggled': { target: 'watching', actions: 'clear' },
        'choice.cleared': { target: 'watching', actions: 'clear' },
        'mosaic.requested': { guard: 'hasChosen', target: 'opening' },
      },
    },
    opening: {
      tags: 'busy',
      on: { 'choice.cleared': { target: 'watching', actions: 'clear' } },
      invoke: {
        id: 'openMosaic',
        src: 'openMosaic',
        input: ({ context: { chosen, resource } }) => ({
          name: resource.getSnapshot().context.value?.plan.title ?? '',
          uids: chosenOn(resource.getSnapshot().context.value, chosen),
        }),
        onDone: [
          {
            guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
            target: 'choosing',
            actions: { type: 'goToMosaic', params: ({ event }) => ({ reply: event.output }) },
          },
          { target: 'choosing', actions: raiseRefusal },
        ],
        onError: { target: 'choosing', actions: raiseFault },
      },
    },
  },
})
