import { fromPromise } from 'xstate'
import type { User } from '../../api/contract/user.ts'
import { mapReply } from '../../api/map-reply.ts'
import { getUser, getUsers, patchUser } from '../../api/resources/users.ts'
import { userEditMachine } from '../../machines/users/user-edit.machine.ts'
import { userFormMachine, userPatch } from '../../machines/users/user-values.ts'
import { UserEditPage } from '../../views/users/UserEditPage.tsx'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { definePage } from '../page.ts'

export const page = definePage({
  logic: userEditMachine.provide({
    actors: {
      form: userFormMachine.provide({
        actors: {
          submit: fromPromise(({ input: { values, saved }, signal }) =>
            // The form keeps the name as it was typed.
            patchUser(saved.name.trim(), userPatch(values, saved), signal),
          ),
          watchLeaving,
          storeDraft,
        },
      }),
      fetchUser: fromPromise(async ({ input: { login, isSelf }, signal }) => {
        const [reply, users] = await Promise.all([getUser(login, signal), isSelf ? getUsers(signal) : null])
        return mapReply(reply, (user) => {
          const isOther = ({ name, isAdmin, isBlocked }: User) => isAdmin && !isBlocked && name !== user.name
          // Assumed if the users can't be listed, and for other users, as only an administrator can edit those.
          const hasOthers = users?.ok !== true || users.value.items.some(isOther)
          return { user, isOnlyAdministrator: user.isAdmin && !hasOthers }
        })
      }),
    },
  }),
  View: UserEditPage,
})
