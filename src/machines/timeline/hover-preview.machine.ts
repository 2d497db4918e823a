import { assign, fromCallback, fromPromise, setup } from 'xstate'
import { notProvided } from '../not-provided.ts'

/** Moments with the same `key` have the same picture. */
export interface PreviewMoment {
  readonly at: number
  readonly key: number
}

/** The picture of a moment also stands for those within half a step. The key is a moment, so that steps don't mix. */
export const previewMomentOf = (at: number, stepMs: number): PreviewMoment => ({
  at: Math.round(at),
  key: Math.round(Math.round(at / stepMs) * stepMs),
})

type HoverPreviewEvent =
  | ({ readonly type: 'preview.requested' } & PreviewMoment)
  | { readonly type: 'preview.cancelled' }

interface Context {
  streamId: string
  /** Object URLs by key, the one used last at the end; null: the server has no picture. */
  pictures: ReadonlyMap<number, string | null>
  requested: PreviewMoment | null
}

const maxPictures = 60

/** The preview of the moment under the pointer on a timeline, fetched once the pointer rests. Pictures are cached. */
export const hoverPreviewMachine = setup({
  types: { context: {} as Context, events: {} as HoverPreviewEvent, input: {} as { streamId: string } },
  actors: {
    fetchPicture: fromPromise<string | null, { streamId: string; at: number }>(notProvided),
    /** Releases all pictures when the machine stops. */
    holdPictures: fromCallback(() => undefined),
  },
  actions: {
    assignRequested: assign((_, { at, key }: PreviewMoment) => ({ requested: { at, key } })),
    forgetRequested: assign({ requested: null }),
    markUsed: assign(({ context: { pictures } }, { key }: PreviewMoment) => {
      const rest = [...pictures].filter(([one]) => one !== key)
      return { pictures: new Map([...rest, [key, pictures.get(key) ?? null]]) }
    }),
    assignPicture: assign(({ context: { pictures, requested } }, { url }: { url: string | null }) =>
      requested === null ? {} : { pictures: new Map([...pictures, [requested.key, url] as const].slice(-maxPictures)) },
    ),
    /** Revokes object URLs; provided by the wiring. */
    releasePictures: (_, _params: { urls: readonly (string | null)[] }) => undefined,
  },
  guards: {
    isCached: ({ context: { pictures } }, { key }: PreviewMoment) => pictures.has(key),
    isRequested: ({ context: { requested } }, { key }: PreviewMoment) => requested?.key === key,
  },
  delays: { pause: 150 },
}).createMachine({
  id: 'hoverPreview',
  context: ({ input }) => ({ streamId: input.streamId, pictures: new Map(), requested: null }),
  invoke: { id: 'holdPictures', src: 'holdPictures' },
  initial: 'idle',
  on: {
    'preview.requested': [
      {
        guard: { type: 'isCached', params: ({ event }) => event },
        target: '.idle',
        actions: [{ type: 'markUsed', params: ({ event }) => event }, 'forgetRequested'],
      },
      { guard: { type: 'isRequested', params: ({ event }) => event } },
      { target: '.pausing', reenter: true, actions: { type: 'assignRequested', params: ({ event }) => event } },
    ],
    'preview.cancelled': { target: '.idle', actions: 'forgetRequested' },
  },
  states: {
    idle: {},
    pausing: { after: { pause: 'fetching' } },
    fetching: {
      invoke: {
        id: 'fetchPicture',
        src: 'fetchPicture',
        input: ({ context: { streamId, requested } }) => ({ streamId, at: requested?.at ?? 0 }),
        onDone: {
          target: 'idle',
          actions: [
            {
              type: 'releasePictures',
              params: ({ context: { pictures } }) => ({
                urls: [...pictures.values()].slice(0, Math.max(0, pictures.size + 1 - maxPictures)),
              }),
            },
            { type: 'assignPicture', params: ({ event }) => ({ url: event.output }) },
          ],
        },
        onError: 'idle',
      },
    },
  },
})
