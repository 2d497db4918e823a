import { fromPromise } from 'xstate'
import { consolePath } from '../../api/console-path.ts'
import { changeShare, deleteStream, openShare, withdrawShare } from '../../api/resources/stream-administration.ts'
import { getLatestPreview } from '../../api/resources/stream.ts'
import { titles } from '../../i18n/titles.ts'
import { streamInfoMachine } from '../../machines/stream-pages/info.machine.ts'
import { pictureMachine } from '../../machines/stream-pages/picture.machine.ts'
import { removalMachine } from '../../machines/stream-pages/removal.machine.ts'
import { sharedEnds, shareFormMachine, shareMachine } from '../../machines/stream-pages/share.machine.ts'
import { expireTimeOf } from '../../machines/tokens/expiry.ts'
import { InfoPage } from '../../views/stream-pages/InfoPage.tsx'
import { knownOrFetch } from '../shared/known-or-fetch.ts'
import { coverage } from '../player/coverage.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { withBusyRetry } from '../shared/busy-retry.ts'
import { defineStreamPage, probing } from './stream-page.ts'
import { visibility } from '../shared/visibility.ts'
import { browserZone } from '../shared/zone.ts'

/** A server that doesn't know below which path a proxy puts the console begins its links with `/ui/`. */
const shownPath = (url: string): string => url.replace(/^\/ui(?=\/)/, consolePath)

/** The share with an absolute URL, which others can open, and the zone to show its times in. */
const shownShare = async (request: ReturnType<typeof openShare>) => {
  const reply = await request
  return reply.ok
    ? {
        ...reply,
        value: {
          ...reply.value,
          url: new URL(shownPath(reply.value.url), globalThis.location.href).href,
          zone: browserZone(),
        },
      }
    : reply
}

const isoOf = (epochMs: number): string => new Date(epochMs).toISOString()

const share = shareMachine.provide({
  actors: {
    form: shareFormMachine.provide({
      actors: {
        submit: fromPromise(async ({ input: { values }, signal }) => {
          const { uid, expires, expireTime, password } = values
          const newExpireTime = expires === 'kept' ? expireTime : expireTimeOf(expires, '', Date.now(), browserZone())
          return shownShare(changeShare(uid, { expireTime: newExpireTime, password, ...sharedEnds(values) }, signal))
        }),
        watchLeaving,
      },
    }),
    openShare: fromPromise(({ input: { uid, range }, signal }) =>
      shownShare(
        range === null
          ? openShare(uid, signal)
          : changeShare(uid, { startTime: isoOf(range.from), endTime: isoOf(range.to), live: false }, signal),
      ),
    ),
    withdrawShare: fromPromise(({ input, signal }) => withdrawShare(input.uid, signal)),
  },
})

export const page = defineStreamPage({
  content: streamInfoMachine.provide({
    actors: {
      readCalendar: knownOrFetch(() => ({ now: Date.now(), zone: browserZone() })),
      coverage,
      picture: pictureMachine.provide({
        actors: {
          fetchPicture: fromPromise(({ input, signal }) =>
            withBusyRetry(() => getLatestPreview(input.uid, signal), signal),
          ),
          visibility,
        },
      }),
      share,
      removal: removalMachine.provide({
        actors: { remove: fromPromise(({ input: { uid, ...how }, signal }) => deleteStream(uid, how, signal)) },
      }),
      probing,
    },
  }),
  title: titles.streamInfo,
  isForAdmins: false,
  View: InfoPage,
})
