import { fromPromise } from 'xstate'
import { getUsers } from '../../api/resources/users.ts'
import { usersMachine } from '../../machines/users/users.machine.ts'
import { UsersPage } from '../../views/users/UsersPage.tsx'
import { definePage } from '../page.ts'

export const page = definePage({
  logic: usersMachine.provide({ actors: { fetchUsers: fromPromise(({ signal }) => getUsers(signal)) } }),
  View: UsersPage,
})
