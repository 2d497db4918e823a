import { fromPromise } from 'xstate'
import { patchProfile } from '../../api/resources/profile.ts'
import { getCurrentUser } from '../../api/resources/session.ts'
import { profileEditMachine, profileFormMachine } from '../../machines/profile/profile-edit.machine.ts'
import { profilePatch } from '../../machines/profile/profile-patch.ts'
import { ProfileEditPage } from '../../views/profile/ProfileEditPage.tsx'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { definePage } from '../page.ts'

export const page = definePage({
  logic: profileEditMachine.provide({
    actors: {
      form: profileFormMachine.provide({
        actors: {
          submit: fromPromise(({ input: { values, saved }, signal }) =>
            patchProfile(profilePatch(values, saved), signal),
          ),
          watchLeaving,
          storeDraft,
        },
      }),
      fetchUser: fromPromise(({ signal }) => getCurrentUser(signal)),
    },
  }),
  View: ProfileEditPage,
})
