import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { User } from '../../api/contract/user.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { afterPageRequest, handlePageApiError } from '../notifications/page-error.ts'

export const userColumns = ['name', 'fullName', 'email', 'role', 'state'] as const
export type UserColumn = (typeof userColumns)[number]

export type UsersEvent =
  | { type: 'list.retried' }
  | { type: 'query.changed'; query: string }
  | { type: 'order.chosen'; by: UserColumn }

interface FetchedUsers {
  items: readonly User[]
}

interface Context {
  users: readonly User[]
  apiError: ApiError | null
  /** The text to search for. */
  query: string
  /** The column that the list is sorted by. */
  by: UserColumn
  isDescending: boolean
}

/** Every user of the server, for administrators: fetched once, then searched and sorted in the browser. */
export const usersMachine = setup({
  types: { context: {} as Context, events: {} as UsersEvent, input: {} as PageInput },
  actors: { fetchUsers: fromPromise<Reply<FetchedUsers>>(notProvided) },
  actions: {
    notifyMissing: sendParent({ type: 'page.missing' }),
    handleApiError: enqueueActions(handlePageApiError),
    assignUsers: assign((_args, { reply }: { reply: Reply<FetchedUsers> }) => ({
      users: reply.ok ? reply.value.items : [],
      apiError: null,
    })),
  },
}).createMachine({
  id: 'users',
  context: { users: [], apiError: null, query: '', by: 'name', isDescending: false },
  initial: 'loading',
  on: {
    'query.changed': { actions: assign({ query: ({ event }) => event.query }) },
    'order.chosen': {
      actions: assign(({ context, event }) => ({
        by: event.by,
        isDescending: event.by === context.by && !context.isDescending,
      })),
    },
  },
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchUsers',
        src: 'fetchUsers',
        ...afterPageRequest<FetchedUsers>()('ready', 'assignUsers'),
      },
    },
    ready: {},
    failed: { on: { 'list.retried': 'loading' } },
  },
})

/** The users whose login, name or email contains the query, in any case (docs/behaviour.md §12); sorted. */
export function shownUsers({
  users,
  query,
  by,
  isDescending,
}: Pick<Context, 'users' | 'query' | 'by' | 'isDescending'>): readonly User[] {
  const part = query.trim().toLowerCase()
  const found =
    part === ''
      ? users
      : users.filter(({ name, fullName, email }) =>
          [name, fullName, email].some((text) => text.toLowerCase().includes(part)),
        )
  const compare = (one: User, other: User) =>
    orderOf[by](one).localeCompare(orderOf[by](other)) || one.name.localeCompare(other.name)
  return found.toSorted(isDescending ? (one, other) => compare(other, one) : compare)
}

/** The key that each column is sorted by. Roles: administrators, users who may add streams, read-only users. */
const orderOf: Readonly<Record<UserColumn, (user: User) => string>> = {
  name: ({ name }) => name,
  fullName: ({ fullName }) => fullName,
  email: ({ email }) => email,
  role: ({ isAdmin, maxStreamCreation }) => (isAdmin ? 'a' : maxStreamCreation === 0 ? 'c' : 'b'),
  state: ({ isBlocked }) => (isBlocked ? 'b' : 'a'),
}
