import { fromPromise } from 'xstate'
import { saveText } from '../../api/browser/save-text.ts'
import { getServerLogs, getSupportBundle } from '../../api/resources/administration.ts'
import { serverDebugMachine } from '../../machines/administration/server-debug.machine.ts'
import { tailMachine } from '../../machines/log-tail/tail.machine.ts'
import { ServerDebugPage } from '../../views/administration/ServerDebugPage.tsx'
import { definePage } from '../page.ts'
import { poll } from '../shared/poll.ts'

export const page = definePage({
  logic: serverDebugMachine.provide({
    actors: {
      tail: tailMachine.provide({
        actors: { fetchLines: fromPromise(({ input: { after }, signal }) => getServerLogs(after, signal)), poll },
      }),
      saveBundle: fromPromise(async ({ signal }) => {
        const reply = await getSupportBundle(signal)
        const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
        if (reply.ok) saveText(`support-${stamp}.json`, 'application/json', JSON.stringify(reply.value, null, 2))
        return reply
      }),
    },
  }),
  View: ServerDebugPage,
})
