import { type ActorRefFrom, setup } from 'xstate'
import { probingMachine } from './probing.machine.ts'
import type { StreamContentInput } from './stream-page.machine.ts'
import { tailMachine } from '../log-tail/tail.machine.ts'

interface Context {
  uid: string
  tail: ActorRefFrom<typeof tailMachine>
  probing: ActorRefFrom<typeof probingMachine>
}

/** The stream debug page: follows the stream's log, and probes its source. */
export const streamDebugMachine = setup({
  types: { context: {} as Context, input: {} as StreamContentInput },
  actors: { tail: tailMachine, probing: probingMachine },
}).createMachine({
  id: 'streamDebug',
  context: ({ input: { uid }, spawn }) => ({
    uid,
    tail: spawn('tail', { id: 'tail', input: { subject: uid } }),
    probing: spawn('probing', { id: 'probing' }),
  }),
})
