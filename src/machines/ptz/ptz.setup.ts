import { assign, fromPromise, setup } from 'xstate'
import type { Preset, PtzAbilities, PtzBody, Velocity } from '../../api/contract/ptz.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { handleFault, handleRefusal } from '../api-errors.ts'
import { notProvided } from '../not-provided.ts'
import type { Goal, PtzEvent } from './ptz.events.ts'

/** Compared by identity: a move with these values is another object. */
export const standstill: Velocity = { pan: 0, tilt: 0, zoom: 0 }

interface Context {
  uid: string
  /** Null: the stream has no PTZ that the user may use. */
  abilities: PtzAbilities | null
  /** The velocity that the user holds. */
  velocity: Velocity
  /** The velocity that was sent last. */
  sent: Velocity | null
  /** The position that was requested last. */
  goal: Goal
  /** Why the last call failed, until the next one. */
  apiError: ApiError | null
  presets: readonly Preset[]
  /** The name typed for a new preset. */
  name: string
  /** The preset to delete, after a confirmation. */
  removing: Preset | null
}

export const ptzSetup = setup({
  types: {
    context: {} as Context,
    events: {} as PtzEvent,
    input: {} as { uid: string },
    children: {} as {
      move: 'control'
      stop: 'control'
      goTo: 'control'
      readPresets: 'readPresets'
      savePreset: 'savePreset'
      removePreset: 'removePreset'
    },
  },
  actors: {
    control: fromPromise<Reply<object>, { uid: string; body: PtzBody }>(notProvided),
    readPresets: fromPromise<Reply<readonly Preset[]>, { uid: string }>(notProvided),
    savePreset: fromPromise<Reply<Preset>, { uid: string; name: string }>(notProvided),
    removePreset: fromPromise<Reply<object>, { uid: string; token: string }>(notProvided),
  },
  actions: {
    handleApiError: assign((_, { apiError }: { apiError: ApiError }) => ({ apiError })),
    assignVelocity: assign((_, { velocity }: { velocity: Velocity }) => ({ velocity })),
    assignGoal: assign((_, { goal }: { goal: Goal }) => ({ goal })),
    clearError: assign({ apiError: null }),
    assignPresets: assign((_, { reply }: { reply: Reply<readonly Preset[]> }) =>
      reply.ok ? { presets: reply.value } : {},
    ),
  },
  guards: {
    isRefused: (_, { reply }: { reply: Reply<unknown> }) => !reply.ok,
    hasPtz: ({ context }) => context.abilities !== null,
    hasNoPtz: ({ context }) => context.abilities === null,
    hasPresets: ({ context }) => context.abilities?.presets === true,
    isOtherVelocity: ({ context }) => context.velocity !== context.sent,
    isStandstill: ({ context }) => context.velocity === standstill,
    hasName: ({ context }) => context.name.trim() !== '',
  },
  // The server stops a camera a second after the last move.
  delays: { repeatInterval: 400 },
})

/** The transition after the server or the camera refused a call. */
export const refusedTo = <Target extends string>(target: Target) =>
  ({
    guard: {
      type: 'isRefused',
      params: ({ event }: { event: { output: Reply<unknown> } }) => ({ reply: event.output }),
    },
    target,
    actions: handleRefusal,
  }) as const

/** The transition after the actor of a call threw. */
export const brokenTo = <Target extends string>(target: Target) => ({ target, actions: handleFault }) as const
