import { fromPromise } from 'xstate'
import { getLicense, putLicense } from '../../api/resources/administration.ts'
import { licenseStateMachine } from '../../machines/administration/administration.machines.ts'
import { licenseFormMachine, licenseMachine } from '../../machines/administration/license.machine.ts'
import { LicensePage } from '../../views/administration/LicensePage.tsx'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { visibility } from '../shared/visibility.ts'
import { definePage } from '../page.ts'

export const page = definePage({
  logic: licenseMachine.provide({
    actors: {
      state: licenseStateMachine.provide({
        actors: { fetchResource: fromPromise(({ signal }) => getLicense(signal)), visibility },
      }),
      form: licenseFormMachine.provide({
        actors: {
          submit: fromPromise(({ input, signal }) => putLicense(input.values.text.trim(), signal)),
          watchLeaving,
          storeDraft,
        },
      }),
    },
  }),
  View: LicensePage,
})
