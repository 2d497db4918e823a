import { type ActorRefFrom, assign, enqueueActions, sendParent, setup } from 'xstate'
import type { GroupSummary } from '../../api/contract/groups.ts'
import type { PageInput } from '../app/app.events.ts'
import { pathTo } from '../app/routes.ts'
import type { FormReport } from '../form/form.events.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import { type GroupKind, newGroupForm, type NewGroupValues } from './group-values.ts'

/** The command deletes a group. */
export const groupListMachine = resourceMachineOf<readonly GroupSummary[], null, { id: string }>({
  pollMs: null,
  queryOf: () => null,
  isSubject: true,
})

export type GroupsEvent =
  | { type: 'search.changed'; searched: string }
  | { type: 'add.requested'; kind: GroupKind }
  | { type: 'delete.requested'; group: GroupSummary }
  | { type: 'delete.confirmed' }
  | { type: 'dialog.closed' }
  | { type: 'page.missing' }
  | FormReport<NewGroupValues, { id: string }>

interface Context {
  list: ActorRefFrom<typeof groupListMachine>
  searched: string
  /** The kind of the group that the dialog adds. */
  kind: GroupKind
  /** The group that the dialog deletes. */
  chosen: GroupSummary | null
}

/**
 * The groups of users and of streams: the list, a dialog that adds a group, whose page then opens, and one that deletes
 * a group.
 */
export const groupsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as GroupsEvent,
    input: {} as PageInput,
    children: {} as { form: 'form' },
  },
  actors: { list: groupListMachine, form: newGroupForm },
  actions: {
    notifyMissing: sendParent({ type: 'page.missing' }),
    goToGroup: sendParent((_args, { id }: { id: string }) => ({
      type: 'navigation.requested',
      href: pathTo('group', { id }),
    })),
    remove: enqueueActions(({ context: { list, chosen }, enqueue }) => {
      if (chosen !== null) enqueue.sendTo(list, { type: 'command.requested', command: { id: chosen.id } })
    }),
  },
}).createMachine({
  id: 'groups',
  context: ({ input, spawn }) => ({
    list: spawn('list', { id: 'list', input }),
    searched: '',
    kind: 'users',
    chosen: null,
  }),
  on: {
    'page.missing': { actions: 'notifyMissing' },
    'search.changed': { actions: assign({ searched: ({ event }) => event.searched }) },
  },
  initial: 'closed',
  states: {
    closed: {
      on: {
        'add.requested': { target: 'adding', actions: assign({ kind: ({ event }) => event.kind }) },
        'delete.requested': { target: 'confirming', actions: assign({ chosen: ({ event }) => event.group }) },
      },
    },
    adding: {
      invoke: {
        id: 'form',
        src: 'form',
        input: ({ context }) => ({ facts: null, values: { name: '', kind: context.kind } }),
      },
      on: {
        'dialog.closed': 'closed',
        'form.saved': {
          target: 'closed',
          actions: { type: 'goToGroup', params: ({ event }) => ({ id: event.answer.id }) },
        },
      },
    },
    confirming: { on: { 'delete.confirmed': { target: 'closed', actions: 'remove' }, 'dialog.closed': 'closed' } },
  },
})

/** The groups of a kind whose name contains the text, in any case. */
export function shownGroups(
  groups: readonly GroupSummary[],
  kind: GroupKind,
  searched: string,
): readonly GroupSummary[] {
  const part = searched.trim().toLowerCase()
  return groups.filter((group) => group.kind === kind && group.name.toLowerCase().includes(part))
}
