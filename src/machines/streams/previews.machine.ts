import { assign, enqueueActions, fromCallback, setup } from 'xstate'
import { backoff } from '../backoff.ts'

/**
 * A stream in sight, or a moment of one: then `uid` is a `previewKey`. Its preview is fetched once, if `isAwaited`
 * until there is one, if `isMoving` again and again. Only moments, whose pictures don't change, have `isAwaited`.
 */
export interface PreviewSubject {
  readonly uid: string
  readonly isMoving: boolean
  readonly isAwaited?: boolean
}

export type PreviewsEvent =
  | { type: 'previews.requested'; subjects: readonly PreviewSubject[] }
  /** `url` is an object URL; null if there is no picture. */
  | { type: 'preview.fetched'; uid: string; url: string | null }
  | { type: 'preview.due'; uid: string }
  | { type: 'page.hidden' }
  | { type: 'page.shown' }

export interface PreviewsContext {
  readonly subjects: readonly PreviewSubject[]
  readonly queue: readonly string[]
  readonly running: readonly string[]
  /** Object URLs by uid, the oldest first. */
  readonly pictures: ReadonlyMap<string, string>
  /** By uid, how many requests in a row got no picture. */
  readonly misses: ReadonlyMap<string, number>
}

const maxRunning = 6
const maxKept = 120
const refreshPauses = { minMs: 10_000, maxMs: 60_000 }

const fetching = (uid: string) => `fetch.${uid}`
const waiting = (uid: string) => `due.${uid}`

/**
 * The pictures of visible streams: at most six requests at a time, in visible order, repeated every 10 s, less often if
 * there is none. Pictures of moments, which don't change, are repeated only until there is one, or not at all. Nothing
 * is fetched while scrolling; requests of streams out of sight are cancelled, and their last pictures kept for a while.
 * Pauses while the page is hidden.
 */
export const previewsMachine = setup({
  types: { context: {} as PreviewsContext, events: {} as PreviewsEvent },
  actors: {
    fetchPreview: fromCallback<PreviewsEvent, { uid: string }>(() => undefined),
    /** Releases all pictures when the machine stops. */
    holdPictures: fromCallback(() => undefined),
    visibility: fromCallback(() => undefined),
  },
  actions: {
    releasePictures: (_args, _params: { urls: readonly string[] }) => undefined,
    assignSubjects: assign((_args, { subjects }: { subjects: readonly PreviewSubject[] }) => ({ subjects })),
    queueSubjects: enqueueActions(({ context, enqueue }, { subjects }: { subjects: readonly PreviewSubject[] }) => {
      const before = new Map(context.subjects.map(({ uid, isMoving }) => [uid, isMoving]))
      const inSight = new Set(subjects.map(({ uid }) => uid))
      const repeated = new Set(subjects.filter((one) => one.isMoving || one.isAwaited === true).map(({ uid }) => uid))
      for (const { uid } of context.subjects) if (!repeated.has(uid)) enqueue.cancel(waiting(uid))
      for (const uid of context.running) if (!inSight.has(uid)) enqueue.stopChild(fetching(uid))
      const running = context.running.filter((uid) => inSight.has(uid))
      const isNew = ({ uid, isMoving }: PreviewSubject) => !before.has(uid) || (isMoving && before.get(uid) === false)
      enqueue.assign({
        subjects,
        running,
        queue: subjects
          .filter(
            (subject) => !running.includes(subject.uid) && (isNew(subject) || context.queue.includes(subject.uid)),
          )
          .map(({ uid }) => uid),
      })
    }),
    /** The picture of a moment is fetched only if it is missing; that of a floor plan may have been replaced. */
    queueAll: assign({
      queue: ({ context: { subjects, pictures } }) =>
        subjects.filter(({ uid, isAwaited }) => isAwaited === undefined || !pictures.has(uid)).map(({ uid }) => uid),
    }),
    assignPicture: enqueueActions(({ context, enqueue }, { uid, url }: { uid: string; url: string | null }) => {
      enqueue.stopChild(fetching(uid))
      const misses = new Map(context.misses)
      if (url === null) misses.set(uid, (misses.get(uid) ?? 0) + 1)
      else misses.delete(uid)
      enqueue.assign({ running: context.running.filter((one) => one !== uid), misses })
      const subject = context.subjects.find((one) => one.uid === uid)
      if (subject?.isMoving === true || (url === null && subject?.isAwaited === true)) {
        const delay = backoff((misses.get(uid) ?? 0) + 1, refreshPauses)
        enqueue.raise({ type: 'preview.due', uid }, { id: waiting(uid), delay })
      }
      enqueue.assign({ pictures: evicted(context, uid, url).pictures })
    }),
    queueDue: assign(({ context }, { uid }: { uid: string }) => ({ queue: [...context.queue, uid] })),
    startFetching: enqueueActions(({ context, enqueue }) => {
      const free = maxRunning - context.running.length
      const next = context.queue.slice(0, free)
      for (const uid of next) enqueue.spawnChild('fetchPreview', { id: fetching(uid), input: { uid } })
      enqueue.assign({ queue: context.queue.slice(free), running: [...context.running, ...next] })
    }),
    stopFetching: enqueueActions(({ context, enqueue }) => {
      for (const uid of context.running) enqueue.stopChild(fetching(uid))
      for (const { uid } of context.subjects) enqueue.cancel(waiting(uid))
      enqueue.assign({ queue: [], running: [] })
    }),
  },
  guards: { canFetch: ({ context }) => context.queue.length > 0 && context.running.length < maxRunning },
  delays: { scrollPause: 100 },
}).createMachine({
  id: 'previews',
  context: { subjects: [], queue: [], running: [], pictures: new Map(), misses: new Map() },
  invoke: [
    { id: 'holdPictures', src: 'holdPictures' },
    { id: 'visibility', src: 'visibility' },
  ],
  initial: 'active',
  states: {
    active: {
      initial: 'fetching',
      on: {
        'previews.requested': {
          guard: ({ context, event }) => !isSame(context.subjects, event.subjects),
          target: '.settling',
          actions: { type: 'queueSubjects', params: ({ event }) => event },
        },
        'preview.fetched': {
          actions: [
            {
              type: 'releasePictures',
              params: ({ context, event }) => ({ urls: evicted(context, event.uid, event.url).released }),
            },
            { type: 'assignPicture', params: ({ event }) => event },
          ],
        },
        'preview.due': { actions: { type: 'queueDue', params: ({ event }) => event } },
        'page.hidden': { target: 'resting', actions: 'stopFetching' },
      },
      states: {
        fetching: { always: { guard: 'canFetch', actions: 'startFetching' } },
        settling: { after: { scrollPause: 'fetching' } },
      },
    },
    resting: {
      on: {
        'previews.requested': { actions: { type: 'assignSubjects', params: ({ event }) => event } },
        'page.shown': { target: 'active', actions: 'queueAll' },
      },
    },
  },
})

const isSame = (one: readonly PreviewSubject[], other: readonly PreviewSubject[]): boolean =>
  one.length === other.length &&
  one.every(({ uid, isMoving }, index) => other[index]?.uid === uid && other[index].isMoving === isMoving)

/**
 * The pictures with a new one; `released` are the object URLs of the one it replaces and of the oldest out of sight.
 */
function evicted(
  { pictures, subjects }: PreviewsContext,
  uid: string,
  url: string | null,
): { pictures: ReadonlyMap<string, string>; released: string[] } {
  if (url === null) return { pictures, released: [] }
  const next = new Map([...pictures].filter(([one]) => one !== uid)).set(uid, url)
  const inSight = new Set(subjects.map((subject) => subject.uid))
  const old = [...next.keys()]
    .filter((one) => one !== uid && !inSight.has(one))
    .slice(0, Math.max(0, next.size - maxKept))
  const released = [uid, ...old].flatMap((one) => pictures.get(one) ?? [])
  for (const one of old) next.delete(one)
  return { pictures: next, released }
}
