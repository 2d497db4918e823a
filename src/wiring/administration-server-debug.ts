import { fromPromise } from 'xstate'
import { mapped } from '../api/mapped.ts'
import { getServerLogs } from '../api/resources/administration.ts'
import { serverLogMachine } from '../machines/administration/administration.machines.ts'
import { ServerDebugPage } from '../views/administration/ServerDebugPage.tsx'
import { definePage } from './page.ts'
import { visibility } from './visibility.ts'

const kept = 2000

export const page = definePage({
  logic: serverLogMachine.provide({
    actors: {
      fetchResource: fromPromise(async ({ input: { known }, signal }) => {
        const reply = await getServerLogs(known?.at(-1)?.id, signal)
        return mapped(reply, ({ items }) => (items.length === 0 && known !== null ? known : [...(known ?? []), ...items].slice(-kept)))
      }),
      visibility,
    },
  }),
  View: ServerDebugPage,
})
