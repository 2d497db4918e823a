import { fromPromise } from 'xstate'
import { getUserGroupPermissions } from '../../api/resources/groups.ts'
import { getUser, getUserPermissions, setUserPermissions } from '../../api/resources/users.ts'
import { gatheringMachine } from '../../machines/streams/gathering.machine.ts'
import { pagingMachine } from '../../machines/streams/paging.machine.ts'
import { permissionsFormMachine, userPermissionsMachine } from '../../machines/users/user-permissions.machine.ts'
import { UserPermissionsPage } from '../../views/users/UserPermissionsPage.tsx'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { definePage } from '../page.ts'
import { pagesActor } from '../streams/list-pages.ts'

export const page = definePage({
  logic: userPermissionsMachine.provide({
    actors: {
      form: permissionsFormMachine.provide({
        actors: {
          submit: fromPromise(({ input: { values }, signal }) =>
            setUserPermissions(values.login, { permissions: [...values.permissions] }, signal),
          ),
          watchLeaving,
          storeDraft,
        },
      }),
      fetchPermissions: fromPromise(async ({ input: { login, hasGroups }, signal }) => {
        const [reply, user, byGroup] = await Promise.all([
          getUserPermissions(login, signal),
          getUser(login, signal),
          hasGroups ? getUserGroupPermissions(login, signal) : null,
        ])
        if (!reply.ok) return reply
        if (byGroup?.ok === false) return byGroup
        const isAdmin = user.ok && user.value.isAdmin
        return { ...reply, value: { ...reply.value, isAdmin, byGroup: byGroup?.value.permissions ?? [] } }
      }),
      paging: pagingMachine.provide({ actors: { fetchPages: pagesActor } }),
      gathering: gatheringMachine.provide({ actors: { fetchPages: pagesActor } }),
    },
  }),
  View: UserPermissionsPage,
})
