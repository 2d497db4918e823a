import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { Group, GroupPermission } from '../../api/contract/groups.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { raiseFault, raiseRefusal } from '../api-errors.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.events.ts'
import { notProvided } from '../not-provided.ts'
import { raiseErrorToast, raiseToast } from '../notifications/toast.ts'
import { afterPageRequest, handlePageApiError } from '../notifications/page-error.ts'
import type { Right } from '../permissions/rights.ts'
import {
  type SavedGroup,
  groupForm,
  type GroupValues,
  groupValuesOf,
  type Named,
  withMembers,
  withPermission,
} from './group-values.ts'

/** What the page fetches. */
export interface KnownGroup {
  group: Group
  permissions: readonly GroupPermission[]
  /** All users or all streams, which can be members. */
  candidates: readonly Named[]
  /** The streams and groups of streams that a group of users can have rights on; empty for a group of streams. */
  streams: readonly Named[]
  streamGroups: readonly Named[]
  /** The number of all streams. If it is very large, `candidates` and `streams` have only the first streams. */
  streamCount: number
}

export type GroupEvent =
  | { type: 'group.retried' }
  | { type: 'search.changed'; searched: string }
  | { type: 'members.toggled' }
  | { type: 'members.changed'; ids: readonly string[]; isMember: boolean }
  | { type: 'right.changed'; target: GroupPermission; right: Right; isGranted: boolean }
  | FormReport<GroupValues, SavedGroup>

type StreamsReply = Reply<readonly Named[]>

interface Context {
  id: string
  known: KnownGroup | null
  form: ActorRefFrom<typeof groupForm> | null
  searched: string
  /** Only members are listed. */
  areMembersOnly: boolean
  apiError: ApiError | null
}

/**
 * One group: fetched with its possible members, and with the streams that it can have permissions on, then edited by a
 * form: name, members and, for a group of users, permissions. The search filters the list of possible members; if that
 * has only the first of very many streams, the server is searched too.
 */
export const groupMachine = setup({
  types: { context: {} as Context, events: {} as GroupEvent, input: {} as PageInput },
  actors: {
    form: groupForm,
    fetchGroup: fromPromise<Reply<KnownGroup>, { id: string }>(notProvided),
    searchStreams: fromPromise<StreamsReply, { searched: string }>(notProvided),
  },
  delays: { typingPause: 300 },
  guards: {
    mayFindMore: ({ context: { known } }, { searched }: { searched: string }) =>
      known?.group.kind === 'streams' && known.candidates.length < known.streamCount && searched.trim() !== '',
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    raiseApiError: enqueueActions(raiseErrorToast),
    notifyMissing: sendParent({ type: 'page.missing' }),
    assignGroup: assign(({ spawn }, { reply }: { reply: Reply<KnownGroup> }) => {
      if (!reply.ok) return {}
      const values = groupValuesOf(reply.value.group, reply.value.permissions)
      return { known: reply.value, apiError: null, form: spawn('form', { id: 'form', input: { values, facts: null } }) }
    }),
    assignSearch: assign((_args, { searched }: { searched: string }) => ({ searched })),
    addFound: assign(({ context: { known } }, { reply }: { reply: StreamsReply }) => {
      if (known === null || !reply.ok) return {}
      const before = new Set(known.candidates.map(({ id }) => id))
      const more = reply.value.filter(({ id }) => !before.has(id))
      return { known: { ...known, candidates: [...known.candidates, ...more] } }
    }),
    changeMembers: enqueueActions(({ context: { form }, event, enqueue }) => {
      if (event.type !== 'members.changed' || form === null) return
      const members = withMembers(form.getSnapshot().context.values.members, event.ids, event.isMember)
      enqueue.sendTo(form, { type: 'form.edited', values: { members } })
    }),
    changeRight: enqueueActions(({ context: { form }, event, enqueue }) => {
      if (event.type !== 'right.changed' || form === null) return
      const { permissions } = form.getSnapshot().context.values
      const changed = withPermission(permissions, event.target, event.right, event.isGranted)
      enqueue.sendTo(form, { type: 'form.edited', values: { permissions: changed } })
    }),
    notifySaved: enqueueActions(({ enqueue, system }, { name }: { name: string }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'groupSaved', values: { name } })
    }),
  },
}).createMachine({
  id: 'group',
  context: ({ input }) => ({
    id: input.params['id'] ?? '',
    known: null,
    form: null,
    searched: '',
    areMembersOnly: false,
    apiError: null,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchGroup',
        src: 'fetchGroup',
        input: ({ context }) => ({ id: context.id }),
        ...afterPageRequest<KnownGroup>()('ready', 'assignGroup'),
      },
    },
    failed: { on: { 'group.retried': 'loading' } },
    ready: {
      initial: 'listed',
      on: {
        'search.changed': [
          {
            guard: { type: 'mayFindMore', params: ({ event }) => event },
            target: '.typing',
            actions: { type: 'assignSearch', params: ({ event }) => event },
          },
          { target: '.listed', actions: { type: 'assignSearch', params: ({ event }) => event } },
        ],
        'members.toggled': { actions: assign({ areMembersOnly: ({ context }) => !context.areMembersOnly }) },
        'members.changed': { actions: 'changeMembers' },
        'right.changed': { actions: 'changeRight' },
        'form.saved': { actions: { type: 'notifySaved', params: ({ event }) => ({ name: event.values.name.trim() }) } },
      },
      states: {
        listed: {},
        typing: { tags: 'busy', after: { typingPause: 'searching' } },
        searching: {
          tags: 'busy',
          invoke: {
            id: 'searchStreams',
            src: 'searchStreams',
            input: ({ context: { searched } }) => ({ searched: searched.trim() }),
            onDone: [
              {
                guard: ({ event }) => event.output.ok,
                target: 'listed',
                actions: { type: 'addFound', params: ({ event }) => ({ reply: event.output }) },
              },
              { target: 'listed', actions: raiseRefusal },
            ],
            onError: { target: 'listed', actions: raiseFault },
          },
        },
      },
    },
  },
})

/** The candidates whose names contain the text, or only the members. Members that aren't candidates come first. */
export function shownCandidates(
  candidates: readonly Named[],
  members: readonly string[],
  { searched, areMembersOnly }: Pick<Context, 'searched' | 'areMembersOnly'>,
): readonly Named[] {
  const candidateIds = new Set(candidates.map(({ id }) => id))
  const memberIds = new Set(members)
  const part = searched.trim().toLowerCase()
  const all = [...members.filter((id) => !candidateIds.has(id)).map((id) => ({ id, name: id })), ...candidates]
  return all.filter(
    ({ id, name }) => (!areMembersOnly || memberIds.has(id)) && (name || id).toLowerCase().includes(part),
  )
}
