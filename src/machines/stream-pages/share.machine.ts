import { type ActorRefFrom, assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { Share } from '../../api/contract/stream.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Reply } from '../../api/reply.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { notProvided } from '../not-provided.ts'
import { localText, momentOfLocal } from '../player/local-text.ts'
import { raiseErrorToast } from '../notifications/toast.ts'
import { raiseFault, raiseRefusal } from '../api-errors.ts'
import type { Expiry } from '../tokens/expiry.ts'

/** A share, and the time zone that its times are shown in, an IANA name. */
export type ShownShare = Share & { readonly zone: string }

/** The options of a share: expiry and password (feature `share-options`), and the range (`share-range`). */
export interface ShareValues {
  uid: string
  /** `kept`: `expireTime` stays. */
  expires: Extract<Expiry, 'never' | 'day' | 'week' | 'month'> | 'kept'
  /** The current expiry, RFC 3339; '' for never. */
  expireTime: string
  /** `***`: the password stays. */
  password: string
  /** The ends of the range, as local times of `zone`; both empty: only live is shared. */
  startTime: string
  endTime: string
  /** `on`: besides the range, live is shared too. */
  live: '' | 'on'
  zone: string
}

/** The marks, extended to whole seconds. */
const wholeSeconds = ({ from, to }: TimeRange): TimeRange => ({
  from: Math.floor(from / 1000) * 1000,
  to: Math.ceil(to / 1000) * 1000,
})

/** The range of the share, else the one between the marks. */
function rangeOf({ startTime, endTime }: Share, marks: TimeRange | null): TimeRange | null {
  if (startTime !== undefined && endTime !== undefined) return { from: startTime, to: endTime }
  return marks === null ? null : wholeSeconds(marks)
}

function rangeTexts(share: ShownShare, marks: TimeRange | null) {
  const range = rangeOf(share, marks)
  if (range === null) return { startTime: '', endTime: '' }
  return { startTime: localText(range.from, share.zone), endTime: localText(range.to, share.zone) }
}

const valuesOf = (uid: string, share: ShownShare, marks: TimeRange | null = null): ShareValues => ({
  ...expiryOf(share),
  ...rangeTexts(share, marks),
  uid,
  password: share.password ?? '',
  live: share.live === true ? 'on' : '',
  zone: share.zone,
})

const expiryOf = ({ expireTime }: Share): Pick<ShareValues, 'expires' | 'expireTime'> => ({
  expires: expireTime === undefined ? 'never' : 'kept',
  expireTime: expireTime === undefined ? '' : new Date(expireTime).toISOString(),
})

const isUnreadable = (text: string, zone: string): boolean => text.trim() !== '' && momentOfLocal(text, zone) === null

export const shareFormMachine = formMachineOf<ShareValues, ShownShare>({
  afterSave: (share, { uid }) => valuesOf(uid, share),
  validate: ({ startTime, endTime, zone }) => ({
    ...(isUnreadable(startTime, zone) ? { startTime: 'unreadableTime' } : {}),
    ...(isUnreadable(endTime, zone) ? { endTime: 'unreadableTime' } : {}),
  }),
})

/** The range in the body of a request: RFC 3339, null for an empty end; without a range no fields. */
export function sharedEnds({ startTime, endTime, live, zone }: ShareValues) {
  const timeOf = (text: string) => {
    const moment = momentOfLocal(text, zone)
    return moment === null ? null : new Date(moment).toISOString()
  }
  const ends = { startTime: timeOf(startTime), endTime: timeOf(endTime) }
  return ends.startTime === null && ends.endTime === null ? {} : { ...ends, live: live === 'on' }
}

export type ShareEvent =
  | { type: 'share.requested' }
  | { type: 'share.withdrawalRequested' }
  | { type: 'share.withdrawalConfirmed' }
  | { type: 'share.withdrawalCancelled' }
  | { type: 'share.reported'; isShared: boolean }
  | FormReport<ShareValues, ShownShare>

interface Context {
  uid: string
  /** The in and out marks of the player that the page was opened from. */
  marks: TimeRange | null
  /** The share whose link is shown; null until the user requests the link. */
  link: ShownShare | null
  isShared: boolean
  /** Edits the options of the shown link. */
  form: ActorRefFrom<typeof shareFormMachine> | null
  /** `isShared` of the last poll, to recognize a change. */
  wasReportedShared: boolean
}

export interface ShareInput {
  uid: string
  marks: TimeRange | null
  isShared: boolean
}

/**
 * Public access to a stream (docs/wire.md §5.2). Requesting the link also creates the share, so it is requested only
 * when the user presses the button. A new share gets the range between the marks, if there are any. Withdrawing a share
 * breaks links that others have, so it is confirmed first. If another user withdraws the share, as the next poll of the
 * stream reports, the link is removed here too.
 */
export const shareMachine = setup({
  types: { context: {} as Context, events: {} as ShareEvent, input: {} as ShareInput },
  actors: {
    form: shareFormMachine,
    /** With a range, only that is shared. */
    openShare: fromPromise<Reply<ShownShare>, { uid: string; range: TimeRange | null }>(notProvided),
    withdrawShare: fromPromise<Reply<object>, { uid: string }>(notProvided),
  },
  actions: {
    raiseApiError: enqueueActions(raiseErrorToast),
    assignLink: assign(({ context: { uid, form, marks }, spawn }, { link }: { link: ShownShare }) => ({
      link,
      isShared: true,
      form: form ?? spawn('form', { id: 'form', input: { values: valuesOf(uid, link, marks), facts: null } }),
    })),
    dropLink: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('form')
      enqueue.assign({ link: null, isShared: false, form: null })
    }),
    setShared: enqueueActions(({ context, enqueue }, { isShared }: { isShared: boolean }) => {
      if (isShared === context.wasReportedShared) return
      enqueue.assign({ wasReportedShared: isShared, isShared })
      if (isShared) return
      enqueue.stopChild('form')
      enqueue.assign({ link: null, form: null })
    }),
  },
}).createMachine({
  id: 'share',
  context: ({ input }) => ({ ...input, link: null, form: null, wasReportedShared: input.isShared }),
  initial: 'settled',
  on: {
    'share.reported': { actions: { type: 'setShared', params: ({ event }) => event } },
    'form.saved': { actions: { type: 'assignLink', params: ({ event }) => ({ link: event.answer }) } },
  },
  states: {
    settled: { on: { 'share.requested': 'opening', 'share.withdrawalRequested': 'confirming' } },
    opening: {
      tags: 'busy',
      invoke: {
        id: 'openShare',
        src: 'openShare',
        input: ({ context: { uid, marks, isShared } }) => ({
          uid,
          range: isShared || marks === null ? null : wholeSeconds(marks),
        }),
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'settled',
            actions: enqueueActions(({ event, enqueue }) => {
              if (event.output.ok) enqueue({ type: 'assignLink', params: { link: event.output.value } })
            }),
          },
          {
            target: 'settled',
            actions: raiseRefusal,
          },
        ],
        onError: { target: 'settled', actions: raiseFault },
      },
    },
    confirming: { on: { 'share.withdrawalConfirmed': 'withdrawing', 'share.withdrawalCancelled': 'settled' } },
    withdrawing: {
      tags: 'busy',
      invoke: {
        id: 'withdrawShare',
        src: 'withdrawShare',
        input: ({ context }) => ({ uid: context.uid }),
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'settled',
            actions: 'dropLink',
          },
          {
            target: 'settled',
            actions: raiseRefusal,
          },
        ],
        onError: { target: 'settled', actions: raiseFault },
      },
    },
  },
})
