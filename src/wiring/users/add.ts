import { fromPromise } from 'xstate'
import { createUser } from '../../api/resources/users.ts'
import { userAddMachine } from '../../machines/users/user-add.machine.ts'
import { userBodyOf, userFormMachine } from '../../machines/users/user-values.ts'
import { UserAddPage } from '../../views/users/UserAddPage.tsx'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { definePage } from '../page.ts'

export const page = definePage({
  logic: userAddMachine.provide({
    actors: {
      form: userFormMachine.provide({
        actors: {
          submit: fromPromise(({ input, signal }) => createUser(userBodyOf(input.values), signal)),
          watchLeaving,
          storeDraft,
        },
      }),
    },
  }),
  View: UserAddPage,
})
