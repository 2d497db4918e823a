import { fromPromise } from 'xstate'
import { getUserPasskeys, removeUserPasskey } from '../../api/resources/passkeys.ts'
import { removeTotpOf } from '../../api/resources/second-factor.ts'
import { blockUser, deleteUser, getUser, unblockUser } from '../../api/resources/users.ts'
import { userInfoMachine } from '../../machines/users/user-info.machine.ts'
import { userPasskeysMachine } from '../../machines/users/user-passkeys.machine.ts'
import { UserInfoPage } from '../../views/users/UserInfoPage.tsx'
import { definePage } from '../page.ts'

const changes = { block: blockUser, unblock: unblockUser, delete: deleteUser, removeTotp: removeTotpOf }

export const page = definePage({
  logic: userInfoMachine.provide({
    actors: {
      fetchUser: fromPromise(({ input, signal }) => getUser(input.login, signal)),
      userPasskeys: userPasskeysMachine.provide({
        actors: {
          fetchPasskeys: fromPromise(async ({ input, signal }) => ({
            reply: await getUserPasskeys(input.login, signal),
            at: Date.now(),
          })),
          removePasskey: fromPromise(({ input, signal }) => removeUserPasskey(input, signal)),
        },
      }),
      changeUser: fromPromise(({ input: { login, change }, signal }) => changes[change](login, signal)),
    },
  }),
  View: UserInfoPage,
})
