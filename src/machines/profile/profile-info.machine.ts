import { sendParent, setup } from 'xstate'
import type { User } from '../../api/contract/user.ts'
import type { PageInput } from '../app/app.events.ts'
import { passkeysMachine } from './passkeys.machine.ts'
import { secondFactorMachine } from './second-factor.machine.ts'

type Report = { type: 'user.patched'; changes: Partial<User> } | { type: 'factor.added' } | { type: 'page.missing' }

/** The page of the own profile: two-factor authentication and passkeys, side by side. Passes their reports on. */
export const profileInfoMachine = setup({
  types: {
    context: {} as { input: PageInput },
    events: {} as Report,
    input: {} as PageInput,
    children: {} as { secondFactor: 'secondFactor'; passkeys: 'passkeys' },
  },
  actors: { secondFactor: secondFactorMachine, passkeys: passkeysMachine },
  actions: { notifyParent: sendParent((_args, { report }: { report: Report }) => report) },
}).createMachine({
  id: 'profileInfo',
  context: ({ input }) => ({ input }),
  invoke: [
    { id: 'secondFactor', src: 'secondFactor', input: ({ context }) => context.input },
    { id: 'passkeys', src: 'passkeys', input: ({ context }) => context.input },
  ],
  on: {
    'user.patched': { actions: { type: 'notifyParent', params: ({ event }) => ({ report: event }) } },
    'factor.added': { actions: { type: 'notifyParent', params: ({ event }) => ({ report: event }) } },
    'page.missing': { actions: { type: 'notifyParent', params: ({ event }) => ({ report: event }) } },
  },
})
