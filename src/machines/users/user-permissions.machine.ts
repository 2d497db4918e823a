import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, sendTo, setup } from 'xstate'
import type { UserGroupPermissions } from '../../api/contract/groups.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { notProvided } from '../not-provided.ts'
import { raiseErrorToast, raiseToast } from '../notifications/toast.ts'
import { afterPageRequest, handlePageApiError } from '../notifications/page-error.ts'
import {
  type GatheringInput,
  gatheringBroken,
  gatheringMachine,
  gatheringRefused,
} from '../streams/gathering.machine.ts'
import { pagingMachine } from '../streams/paging.machine.ts'
import type { StreamsQuery } from '../streams/preferences.ts'
import { rightsDraft } from '../permissions/rights-draft.ts'
import type { Right } from '../permissions/rights.ts'
import { type NamedStream, type Permission, withRights } from './permissions.ts'
import { describedUser } from './user-page.ts'

export interface PermissionValues {
  login: string
  permissions: readonly Permission[]
}

export interface PermissionsAnswer {
  permissions?: readonly Permission[] | undefined
}

export const permissionsFormMachine = formMachineOf<PermissionValues, PermissionsAnswer>({
  afterSave: ({ permissions }) => (permissions === undefined ? {} : { permissions }),
  ...rightsDraft<Permission>(({ uid }) => uid),
})

export type UserPermissionsEvent =
  | { type: 'list.retried' }
  | { type: 'search.changed'; searched: string }
  | { type: 'granted.toggled' }
  | { type: 'rows.chosen'; streams: readonly NamedStream[]; isChosen: boolean }
  | { type: 'choice.cleared' }
  /** Selects all streams that match the search, including those that aren't loaded yet. */
  | { type: 'choice.allRequested'; gathering: GatheringInput }
  | { type: 'gathering.cancelled' }
  | { type: 'right.changed'; streams: readonly NamedStream[]; right: Right; isGranted: boolean }
  | FormReport<PermissionValues, PermissionsAnswer>

export type GroupPermission = UserGroupPermissions['permissions'][number]

interface Context {
  login: string
  /** The server has groups. */
  hasGroups: boolean
  /** The user is an administrator, who has all rights. */
  isAdmin: boolean
  /** The rights that the user has through groups, by uid of the stream; they aren't edited here. */
  byGroup: ReadonlyMap<string, GroupPermission>
  apiError: ApiError | null
  form: ActorRefFrom<typeof permissionsFormMachine> | null
  searched: string
  /** Only streams with a right are listed. */
  isGrantedOnly: boolean
  /** The selected streams by uid, which stay selected during another search. */
  chosen: ReadonlyMap<string, NamedStream>
  /** Of the last request to select all. */
  gatheringInput: GatheringInput
}

export interface LoadedPermissions {
  permissions: readonly Permission[]
  byGroup: readonly GroupPermission[]
  isAdmin: boolean
}

export const queryOf = (searched: string): StreamsQuery => ({
  groupType: 'none',
  sortType: 'name',
  isOnlyAvailable: false,
  searchingValues: searched.trim() === '' ? [] : [searched.trim()],
})

/**
 * A user's permissions on streams. All permissions are fetched at once; of the streams, only the visible pages,
 * filtered by the server. Changes stay in a form; saving replaces all permissions.
 */
export const userPermissionsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as UserPermissionsEvent,
    input: {} as PageInput,
    children: {} as { paging: 'paging'; gathering: 'gathering' },
  },
  actors: {
    form: permissionsFormMachine,
    fetchPermissions: fromPromise<Reply<LoadedPermissions>, { login: string; hasGroups: boolean }>(notProvided),
    paging: pagingMachine,
    gathering: gatheringMachine,
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    assignPermissions: assign(({ context: { login }, spawn }, { reply }: { reply: Reply<LoadedPermissions> }) =>
      reply.ok
        ? {
            apiError: null,
            isAdmin: reply.value.isAdmin,
            byGroup: new Map(reply.value.byGroup.map((permission) => [permission.uid, permission])),
            form: spawn('form', {
              id: 'form',
              input: { values: { login, permissions: reply.value.permissions }, facts: null },
            }),
          }
        : {},
    ),
    describe: sendParent(({ context }) => describedUser(context.login)),
    notifyMissing: sendParent({ type: 'page.missing' }),
    notifySaved: enqueueActions(({ enqueue, system }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'permissionsSaved' })
    }),
    raiseApiError: enqueueActions(raiseErrorToast),
    search: sendTo('paging', (_args, { searched }: { searched: string }) => ({
      type: 'query.changed' as const,
      query: queryOf(searched),
    })),
    choose: assign(({ context }, { streams, isChosen }: { streams: readonly NamedStream[]; isChosen: boolean }) => {
      const chosen = new Map(context.chosen)
      for (const { uid, name } of streams) {
        if (isChosen) chosen.set(uid, { uid, name })
        else chosen.delete(uid)
      }
      return { chosen }
    }),
    changeRight: enqueueActions(({ context: { form }, event, enqueue }) => {
      if (event.type !== 'right.changed' || form === null) return
      const { permissions } = form.getSnapshot().context.values
      enqueue.sendTo(form, {
        type: 'form.edited',
        values: { permissions: withRights(permissions, event.streams, event.right, event.isGranted) },
      })
    }),
  },
  guards: { isRefused: (_args, { apiError }: { apiError: ApiError | null }) => apiError !== null },
}).createMachine({
  id: 'userPermissions',
  context: ({ input }) => ({
    login: input.params['login'] ?? '',
    hasGroups: input.settings.features.includes('groups'),
    isAdmin: false,
    byGroup: new Map<string, GroupPermission>(),
    apiError: null,
    form: null,
    searched: '',
    isGrantedOnly: false,
    chosen: new Map<string, NamedStream>(),
    gatheringInput: { query: queryOf(''), listing: { total: 0, pageSize: 1, pages: {} } },
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchPermissions',
        src: 'fetchPermissions',
        input: ({ context: { login, hasGroups } }) => ({ login, hasGroups }),
        ...afterPageRequest<LoadedPermissions>()('ready', 'assignPermissions', 'describe'),
      },
    },
    failed: { on: { 'list.retried': 'loading' } },
    ready: {
      invoke: { id: 'paging', src: 'paging', input: ({ context }) => ({ query: queryOf(context.searched) }) },
      initial: 'choosing',
      on: {
        'search.changed': {
          actions: [
            assign({ searched: ({ event }) => event.searched }),
            { type: 'search', params: ({ event }) => event },
          ],
        },
        'granted.toggled': { actions: assign({ isGrantedOnly: ({ context }) => !context.isGrantedOnly }) },
        'right.changed': { actions: 'changeRight' },
        'form.saved': { actions: 'notifySaved' },
      },
      states: {
        choosing: {
          on: {
            'rows.chosen': { actions: { type: 'choose', params: ({ event }) => event } },
            'choice.cleared': { actions: assign({ chosen: new Map<string, NamedStream>() }) },
            'choice.allRequested': {
              target: 'gathering',
              actions: assign({ gatheringInput: ({ event }) => event.gathering }),
            },
          },
        },
        gathering: {
          tags: 'busy',
          invoke: {
            id: 'gathering',
            src: 'gathering',
            input: ({ context }) => context.gatheringInput,
            onDone: [
              gatheringRefused,
              {
                target: 'choosing',
                actions: { type: 'choose', params: ({ event }) => ({ streams: event.output.streams, isChosen: true }) },
              },
            ],
            onError: gatheringBroken,
          },
          on: { 'gathering.cancelled': 'choosing' },
        },
      },
    },
  },
})
