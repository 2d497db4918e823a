import { fromPromise } from 'xstate'
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
      fetchPermissions: fromPromise(({ input, signal }) => getStreamPermissions(input.uid, signal)),
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
