import { fromPromise } from 'xstate'
import { getStreamGroupPermissions } from '../../api/resources/groups.ts'
import { getStreamPermissions, saveStreamPermissions, search } from '../../api/resources/stream-administration.ts'
import { titles } from '../../i18n/titles.ts'
import { permissionsForm, streamPermissionsMachine } from '../../machines/stream-pages/permissions.machine.ts'
import { withListError } from '../../machines/stream-pages/permissions.ts'
import { userSearchMachine } from '../../machines/stream-pages/user-search.machine.ts'
import { PermissionsPage } from '../../views/stream-pages/PermissionsPage.tsx'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { defineStreamPage } from './stream-page.ts'

export const page = defineStreamPage({
  content: streamPermissionsMachine.provide({
    actors: {
      fetchPermissions: fromPromise(async ({ input: { uid, hasGroups }, signal }) => {
        const [reply, byGroup] = await Promise.all([
          getStreamPermissions(uid, signal),
          hasGroups ? getStreamGroupPermissions(uid, signal) : null,
        ])
        if (!reply.ok) return reply
        if (byGroup?.ok === false) return byGroup
        return { ...reply, value: { ...reply.value, byGroup: byGroup?.value.permissions ?? [] } }
      }),
      form: permissionsForm.provide({
        actors: {
          submit: fromPromise(async ({ input: { values }, signal }) =>
            withListError(
              await saveStreamPermissions(values.uid, { permissions: [...values.permissions] }, signal),
              values,
            ),
          ),
          watchLeaving,
          storeDraft,
        },
      }),
      search: userSearchMachine.provide({
        actors: {
          searchUsers: fromPromise(async ({ input, signal }) => {
            const reply = await search(input.query, signal)
            return reply.ok ? { ...reply, value: reply.value.users.map(({ name }) => name) } : reply
          }),
        },
      }),
    },
  }),
  title: titles.streamPermissions,
  isForAdmins: true,
  View: PermissionsPage,
})
