import { type ActorRefFrom, sendParent, sendTo, setup } from 'xstate'
import type { License } from '../../api/contract/system.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { licenseStateMachine } from './administration.machines.ts'

export interface LicenseValues {
  text: string
}

export const licenseFormMachine = formMachineOf<LicenseValues, License>({
  fieldOfCode: { IncorrectLicense: 'text', RequestDecodeError: 'text', LicenseExpired: 'text' },
  draft: (changed) => changed,
  afterSave: () => ({ text: '' }),
})

/**
 * The licence page: the current licence, and a form to upload another. An invalid licence is an error beside the
 * field (docs/behaviour.md §13). After a valid one, licence and settings are fetched again (docs/wire.md §5.1).
 */
export const licenseMachine = setup({
  types: {
    context: {} as { state: ActorRefFrom<typeof licenseStateMachine>; form: ActorRefFrom<typeof licenseFormMachine> },
    events: {} as FormReport<LicenseValues, License> | { type: 'page.missing' },
    input: {} as PageInput,
  },
  actors: { state: licenseStateMachine, form: licenseFormMachine },
  actions: {
    refetchLicense: sendTo(({ context }) => context.state, { type: 'resource.retried' }),
    notifyMissing: sendParent({ type: 'page.missing' }),
    outdateSettings: sendParent({ type: 'settings.outdated' }),
  },
}).createMachine({
  id: 'license',
  context: ({ spawn, input }) => ({
    state: spawn('state', { id: 'state', input }),
    form: spawn('form', {
      id: 'form',
      input: { values: { text: '' }, facts: null },
    }),
  }),
  on: {
    'form.saved': { actions: ['refetchLicense', 'outdateSettings'] },
    'page.missing': { actions: 'notifyMissing' },
  },
})
