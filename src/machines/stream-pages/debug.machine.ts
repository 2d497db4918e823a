import { type ActorRefFrom, setup } from 'xstate'
import { copyingMachine } from './copying.machine.ts'
import { probingMachine } from './probing.machine.ts'
import type { StreamContentInput } from './stream-page.machine.ts'
import { tailMachine } from './tail.machine.ts'

interface Context {
  uid: string
  name: string
  tail: ActorRefFrom<typeof tailMachine>
  probing: ActorRefFrom<typeof probingMachine>
  copying: ActorRefFrom<typeof copyingMachine>
}

/** What helps to find out why a stream does not do what it should: its log as it is written, and a look into its source. */
export const streamDebugMachine = setup({
  types: {
    context: {} as Context,
    events: {} as { type: 'download.requested'; text: string },
    input: {} as StreamContentInput,
  },
  actors: { tail: tailMachine, probing: probingMachine, copying: copyingMachine },
  actions: {
    saveFile: (_args, _params: { name: string; text: string }) => undefined,
  },
}).createMachine({
  id: 'streamDebug',
  context: ({ input: { uid, stream }, spawn }) => ({
    uid,
    name: stream.name,
    tail: spawn('tail', { id: 'tail', input: { uid } }),
    probing: spawn('probing', { id: 'probing' }),
    copying: spawn('copying', { id: 'copying' }),
  }),
  on: {
    'download.requested': {
      actions: { type: 'saveFile', params: ({ context, event }) => ({ name: `${context.name || context.uid}.log`, text: event.text }) },
    },
  },
})
