import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { StreamGroupPermissions } from '../../api/contract/groups.ts'
import type { StreamPermissions } from '../../api/contract/stream.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { notProvided } from '../not-provided.ts'
import { rightsDraft } from '../permissions/rights-draft.ts'
import { afterPageRequest, handlePageApiError } from '../notifications/page-error.ts'
import { type Permission, type PermissionValues, valuesOf } from './permissions.ts'
import type { StreamContentInput } from './stream-page.machine.ts'
import { userSearchMachine } from './user-search.machine.ts'

export const permissionsForm = formMachineOf<PermissionValues, StreamPermissions>({
  ...rightsDraft<Permission>(({ login }) => login),
  afterSave: (answer, { uid }) => valuesOf(uid, answer),
})

type Event = { type: 'permissions.retried' }

export type GroupPermission = StreamGroupPermissions['permissions'][number]

export interface KnownPermissions extends StreamPermissions {
  byGroup: readonly GroupPermission[]
}

interface Context {
  uid: string
  /** The server has groups. */
  hasGroups: boolean
  /** The groups of users with permissions; they aren't edited here. */
  byGroup: readonly GroupPermission[]
  apiError: ApiError | null
  form: ActorRefFrom<typeof permissionsForm> | null
  search: ActorRefFrom<typeof userSearchMachine>
}

/**
 * Who may view a stream, view its archive and administer it. The list is edited and saved as a whole; the response
 * replaces it (docs/wire.md §5.2).
 */
export const streamPermissionsMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as StreamContentInput },
  actors: {
    fetchPermissions: fromPromise<Reply<KnownPermissions>, { uid: string; hasGroups: boolean }>(notProvided),
    form: permissionsForm,
    search: userSearchMachine,
  },
  actions: {
    notifyMissing: sendParent({ type: 'page.missing' }),
    handleApiError: enqueueActions(handlePageApiError),
    assignPermissions: assign(({ context: { uid }, spawn }, { reply }: { reply: Reply<KnownPermissions> }) =>
      reply.ok
        ? {
            apiError: null,
            byGroup: reply.value.byGroup,
            form: spawn('form', { id: 'form', input: { values: valuesOf(uid, reply.value), facts: null } }),
          }
        : {},
    ),
  },
}).createMachine({
  id: 'streamPermissions',
  context: ({ input, spawn }) => ({
    uid: input.uid,
    hasGroups: input.settings.features.includes('groups'),
    byGroup: [],
    apiError: null,
    form: null,
    search: spawn('search', { id: 'search' }),
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchPermissions',
        src: 'fetchPermissions',
        input: ({ context: { uid, hasGroups } }) => ({ uid, hasGroups }),
        ...afterPageRequest<KnownPermissions>()('ready', 'assignPermissions'),
      },
    },
    failed: { tags: 'error', on: { 'permissions.retried': 'loading' } },
    ready: {},
  },
})
