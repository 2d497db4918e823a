import { assign, fromCallback, fromPromise, setup } from 'xstate'
import { notProvided } from '../not-provided.ts'

/** A moment in epoch milliseconds; moments of one key show the same picture. */
export interface PreviewMoment {
  readonly at: number
  readonly key: number
}

type HoverPreviewEvent = ({ readonly type: 'preview.wanted' } & PreviewMoment) | { readonly type: 'preview.rested' }

interface Context {
  streamId: string
  /** Addresses by key, the newest last; null where there is no picture. */
  kept: ReadonlyMap<number, string | null>
  wanted: PreviewMoment | null
}

const maxKept = 60

/** The picture under the pointer of a timeline: fetches the last wanted one after a pause and keeps the newest. */
export const hoverPreviewMachine = setup({
  types: { context: {} as Context, events: {} as HoverPreviewEvent, input: {} as { streamId: string } },
  actors: {
    fetchPicture: fromPromise<string | null, { streamId: string; at: number }>(notProvided),
    keepPictures: fromCallback(() => undefined),
  },
  actions: {
    want: assign((_, { at, key }: PreviewMoment) => ({ wanted: { at, key } })),
    forget: assign({ wanted: null }),
    renew: assign(({ context: { kept } }, { key }: PreviewMoment) => {
      const rest = [...kept].filter(([one]) => one !== key)
      return { kept: new Map([...rest, [key, kept.get(key) ?? null]]) }
    }),
    keep: assign(({ context: { kept, wanted } }, { url }: { url: string | null }) =>
      wanted === null ? {} : { kept: new Map([...kept, [wanted.key, url] as const].slice(-maxKept)) },
    ),
    releasePictures: (_, _params: { urls: readonly (string | null)[] }) => undefined,
  },
  guards: {
    isKept: ({ context: { kept } }, { key }: PreviewMoment) => kept.has(key),
    isWanted: ({ context: { wanted } }, { key }: PreviewMoment) => wanted?.key === key,
  },
  delays: { pause: 150 },
}).createMachine({
  id: 'hoverPreview',
  context: ({ input }) => ({ streamId: input.streamId, kept: new Map(), wanted: null }),
  invoke: { id: 'keepPictures', src: 'keepPictures' },
  initial: 'idle',
  on: {
    'preview.wanted': [
      {
        guard: { type: 'isKept', params: ({ event }) => event },
        target: '.idle',
        actions: [{ type: 'renew', params: ({ event }) => event }, 'forget'],
      },
      { guard: { type: 'isWanted', params: ({ event }) => event } },
      { target: '.pausing', reenter: true, actions: { type: 'want', params: ({ event }) => event } },
    ],
    'preview.rested': { target: '.idle', actions: 'forget' },
  },
  states: {
    idle: {},
    pausing: { after: { pause: 'fetching' } },
    fetching: {
      invoke: {
        id: 'fetchPicture',
        src: 'fetchPicture',
        input: ({ context: { streamId, wanted } }) => ({ streamId, at: wanted?.at ?? 0 }),
        onDone: {
          target: 'idle',
          actions: [
            {
              type: 'releasePictures',
              params: ({ context: { kept } }) => ({
                urls: [...kept.values()].slice(0, Math.max(0, kept.size + 1 - maxKept)),
              }),
            },
            { type: 'keep', params: ({ event }) => ({ url: event.output }) },
          ],
        },
        onError: 'idle',
      },
    },
  },
})
