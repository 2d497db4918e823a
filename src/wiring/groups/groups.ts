import { fromPromise } from 'xstate'
import { addGroup, removeGroup } from '../../api/resources/groups.ts'
import { newGroupForm } from '../../machines/groups/group-values.ts'
import { groupListMachine, groupsMachine } from '../../machines/groups/groups.machine.ts'
import { GroupsPage } from '../../views/groups/GroupsPage.tsx'
import { definePage } from '../page.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { visibility } from '../shared/visibility.ts'
import { allGroups } from './all-groups.ts'

export const page = definePage({
  logic: groupsMachine.provide({
    actors: {
      list: groupListMachine.provide({
        actors: {
          fetchResource: fromPromise(({ signal }) => allGroups(signal)),
          perform: fromPromise(({ input: { command }, signal }) => removeGroup(command.id, signal)),
          visibility,
        },
      }),
      form: newGroupForm.provide({
        actors: {
          submit: fromPromise(({ input: { values }, signal }) =>
            addGroup({ kind: values.kind, name: values.name.trim() }, signal),
          ),
          watchLeaving,
        },
      }),
    },
  }),
  View: GroupsPage,
})
