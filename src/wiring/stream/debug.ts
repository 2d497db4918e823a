import { fromPromise } from 'xstate'
import { getStreamLogs } from '../../api/resources/stream-administration.ts'
import { titles } from '../../i18n/titles.ts'
import { streamDebugMachine } from '../../machines/stream-pages/debug.machine.ts'
import { tailMachine } from '../../machines/log-tail/tail.machine.ts'
import { DebugPage } from '../../views/stream-pages/DebugPage.tsx'
import { defineStreamPage, probing } from './stream-page.ts'
import { poll } from '../shared/poll.ts'

export const page = defineStreamPage({
  content: streamDebugMachine.provide({
    actors: {
      tail: tailMachine.provide({
        actors: {
          fetchLines: fromPromise(({ input: { subject, after }, signal }) => getStreamLogs(subject, after, signal)),
          poll,
        },
      }),
      probing,
    },
  }),
  title: titles.streamDebug,
  isForAdmins: true,
  View: DebugPage,
})
