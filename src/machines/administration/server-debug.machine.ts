import { type ActorRefFrom, enqueueActions, fromPromise, setup } from 'xstate'
import type { Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { tailMachine } from '../log-tail/tail.machine.ts'
import { notProvided } from '../not-provided.ts'
import { raiseErrorToast } from '../notifications/toast.ts'
import { raiseFault, raiseRefusal } from '../api-errors.ts'

/** A server without this feature has no support bundle (docs/wire.md §1). */
const bundleFeature = 'support-bundle'

interface Context {
  tail: ActorRefFrom<typeof tailMachine>
  hasBundle: boolean
}

/** The server debug page: follows the server's log, and downloads the support bundle on request. */
export const serverDebugMachine = setup({
  types: {
    context: {} as Context,
    events: {} as { type: 'bundle.requested' },
    input: {} as PageInput,
  },
  actors: {
    tail: tailMachine,
    saveBundle: fromPromise<Reply<unknown>>(notProvided),
  },
  actions: {
    raiseApiError: enqueueActions(raiseErrorToast),
  },
}).createMachine({
  id: 'serverDebug',
  context: ({ input, spawn }) => ({
    tail: spawn('tail', { id: 'tail', input: { subject: '' } }),
    hasBundle: input.settings.features.includes(bundleFeature),
  }),
  initial: 'watching',
  states: {
    watching: { on: { 'bundle.requested': 'bundling' } },
    bundling: {
      tags: 'busy',
      invoke: {
        id: 'saveBundle',
        src: 'saveBundle',
        onDone: [
          { guard: ({ event }) => event.output.ok, target: 'watching' },
          {
            target: 'watching',
            actions: raiseRefusal,
          },
        ],
        onError: { target: 'watching', actions: raiseFault },
      },
    },
  },
})
