import { assign, enqueueActions, fromCallback, setup } from 'xstate'
import type { ApiError } from '../../api/reply.ts'
import { notifyPageApiError } from '../notifications/page-error.ts'
import { noResponse, unknownApiError } from '../api-errors.ts'
import type { Clip, ClipsEvent } from './clips.events.ts'
import { partsOf } from './parts.ts'

export type Progress =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'downloading'; readonly bytes: number; readonly total: number | null }
  | { readonly kind: 'saved'; readonly bytes: number }
  | { readonly kind: 'refused'; readonly apiError: ApiError }
  | { readonly kind: 'cancelled' }

/** One file: the part number `part` (from 1) of the `parts` of a clip, all of which have the same `request`. */
export type Download = Omit<Clip, 'maxSeconds'> & {
  readonly id: number
  readonly request: number
  readonly part: number
  readonly parts: number
  readonly progress: Progress
}

interface Context {
  downloads: readonly Download[]
  /** How many there have been so far, to number the next ones. */
  counts: { readonly downloads: number; readonly requests: number }
}

type DownloadId = { readonly id: number }

const isDownloading = ({ progress }: Download) => progress.kind === 'downloading'
const isWaiting = ({ progress }: Download) => progress.kind === 'waiting'
/** Saved, refused or cancelled. */
const isEnded = (download: Download) => !isDownloading(download) && !isWaiting(download)
const isRetriable = ({ progress }: Download) => progress.kind === 'refused' || progress.kind === 'cancelled'

/** The downloads with a progress for those that `matches`. */
const withProgress = (downloads: readonly Download[], matches: (download: Download) => boolean, progress: Progress) =>
  downloads.map((download) => (matches(download) ? { ...download, progress } : download))

/** Adds a download for each part of the clip. */
function withClip({ downloads, counts }: Context, { maxSeconds, ...clip }: Clip): Context {
  const parts = partsOf(clip, maxSeconds)
  const added = parts.map((part, index): Download => ({
    ...clip,
    ...part,
    id: counts.downloads + index,
    request: counts.requests,
    part: index + 1,
    parts: parts.length,
    progress: { kind: 'waiting' },
  }))
  return {
    downloads: [...downloads, ...added],
    counts: { downloads: counts.downloads + parts.length, requests: counts.requests + 1 },
  }
}

/**
 * Downloads clips of the archive, one file at a time; a clip that is longer than one file may be is split into parts.
 * While one downloads, the browser asks before the window is closed. The next one begins when a download ends, or when
 * no byte has arrived for a minute. Ended downloads stay listed until they are dismissed or the user signs out.
 * Errors also raise a toast, as the user may be on another page.
 */
export const clipsMachine = setup({
  types: { context: {} as Context, events: {} as ClipsEvent },
  actors: {
    fetchClip: fromCallback<ClipsEvent, Download | undefined>(() => undefined),
    /** While it runs, the browser asks before the window is closed. */
    warnBeforeClosing: fromCallback<ClipsEvent>(() => undefined),
  },
  actions: {
    add: assign(({ context }, { clip }: { clip: Clip }) => withClip(context, clip)),
    begin: assign(({ context: { downloads } }) => {
      const next = downloads.find(isWaiting)
      return {
        downloads: withProgress(downloads, (one) => one === next, { kind: 'downloading', bytes: 0, total: null }),
      }
    }),
    handleApiError: enqueueActions(
      ({ context: { downloads }, enqueue, system }, { apiError }: { apiError: ApiError }) => {
        notifyPageApiError({ enqueue, system }, apiError)
        enqueue.assign({ downloads: withProgress(downloads, isDownloading, { kind: 'refused', apiError }) })
      },
    ),
    assignProgress: assign(({ context: { downloads } }, progress: Progress) => ({
      downloads: withProgress(downloads, isDownloading, progress),
    })),
    assignProgressOf: assign(({ context: { downloads } }, { id, progress }: DownloadId & { progress: Progress }) => ({
      downloads: withProgress(downloads, (one) => one.id === id, progress),
    })),
    drop: assign(({ context: { downloads } }, { id }: DownloadId) => ({
      downloads: downloads.filter((one) => one.id !== id),
    })),
    dropEnded: assign(({ context: { downloads } }) => ({ downloads: downloads.filter((one) => !isEnded(one)) })),
    dropAll: assign({ downloads: [] }),
  },
  guards: {
    hasWaiting: ({ context }) => context.downloads.some(isWaiting),
    isWaiting: ({ context }, { id }: DownloadId) => context.downloads.some((one) => one.id === id && isWaiting(one)),
    isDownloading: ({ context }, { id }: DownloadId) =>
      context.downloads.some((one) => one.id === id && isDownloading(one)),
    isEnded: ({ context }, { id }: DownloadId) => context.downloads.some((one) => one.id === id && isEnded(one)),
    isRetriable: ({ context }, { id }: DownloadId) =>
      context.downloads.some((one) => one.id === id && isRetriable(one)),
  },
  delays: { stallTimeout: 60_000 },
}).createMachine({
  id: 'clips',
  context: { downloads: [], counts: { downloads: 0, requests: 0 } },
  initial: 'idle',
  on: {
    'clips.requested': { actions: { type: 'add', params: ({ event }) => event } },
    'clips.cancelled': {
      guard: { type: 'isWaiting', params: ({ event }) => event },
      actions: { type: 'assignProgressOf', params: ({ event: { id } }) => ({ id, progress: { kind: 'cancelled' } }) },
    },
    'clips.retried': {
      guard: { type: 'isRetriable', params: ({ event }) => event },
      actions: { type: 'assignProgressOf', params: ({ event: { id } }) => ({ id, progress: { kind: 'waiting' } }) },
    },
    'clips.dismissed': {
      guard: { type: 'isEnded', params: ({ event }) => event },
      actions: { type: 'drop', params: ({ event }) => event },
    },
    'clips.cleared': { actions: 'dropEnded' },
    'user.switched': { target: '.idle', actions: 'dropAll' },
  },
  states: {
    idle: { always: { guard: 'hasWaiting', target: 'downloading' } },
    downloading: {
      tags: 'busy',
      entry: 'begin',
      invoke: [
        {
          id: 'fetchClip',
          src: 'fetchClip',
          input: ({ context }) => context.downloads.find(isDownloading),
          onError: { target: 'idle', actions: { type: 'handleApiError', params: { apiError: unknownApiError } } },
        },
        { id: 'warnBeforeClosing', src: 'warnBeforeClosing' },
      ],
      on: {
        'download.saved': {
          target: 'idle',
          actions: { type: 'assignProgress', params: ({ event: { bytes } }) => ({ kind: 'saved', bytes }) },
        },
        'download.refused': { target: 'idle', actions: { type: 'handleApiError', params: ({ event }) => event } },
        'clips.cancelled': {
          guard: { type: 'isDownloading', params: ({ event }) => event },
          target: 'idle',
          actions: { type: 'assignProgress', params: { kind: 'cancelled' } },
        },
      },
      initial: 'flowing',
      states: {
        flowing: {
          on: {
            'download.advanced': {
              target: 'flowing',
              reenter: true,
              actions: {
                type: 'assignProgress',
                params: ({ event: { bytes, total } }) => ({ kind: 'downloading', bytes, total }),
              },
            },
          },
          after: {
            stallTimeout: {
              target: '#clips.idle',
              actions: { type: 'handleApiError', params: { apiError: noResponse } },
            },
          },
        },
      },
    },
  },
})
