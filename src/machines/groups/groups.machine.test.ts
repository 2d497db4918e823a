import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import type { GroupSummary } from '../../api/contract/groups.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { newGroupForm } from './group-values.ts'
import { groupListMachine, type GroupsEvent, groupsMachine, shownGroups } from './groups.machine.ts'

const group: GroupSummary = { id: 'g1', kind: 'users', name: 'Guards', memberCount: 1 }

const open = (save: ReturnType<typeof refused> | ReturnType<typeof ok<{ id: string }>> = ok({ id: 'g2' })) => {
  const asked: string[] = []
  const page = openPage(
    groupsMachine.provide({
      actors: {
        list: groupListMachine.provide({
          actors: {
            fetchResource: fromPromise(async () => {
              asked.push('list')
              return ok<readonly GroupSummary[]>([group])
            }),
            perform: fromPromise(async ({ input }) => {
              asked.push(`remove ${input.command.id}`)
              return ok({})
            }),
          },
        }),
        form: newGroupForm.provide({
          actors: {
            submit: fromPromise(async ({ input: { values } }) => {
              asked.push(`add ${values.kind} ${values.name}`)
              return save
            }),
          },
        }),
      },
    }),
    pageInput(),
  )
  return {
    ...page,
    asked,
    send: (event: GroupsEvent) => page.send(event),
    form: () => page.ref.getSnapshot().children.form,
  }
}

test('a new group has a name, and its page opens', async () => {
  const { send, form, asked, received, value } = open()
  await settle()
  send({ type: 'add.requested', kind: 'streams' })
  form().send({ type: 'form.submitted' })
  expect(form().getSnapshot().context.errors).toEqual({ name: 'required' })
  form().send({ type: 'form.edited', values: { name: 'Yard' } })
  form().send({ type: 'form.submitted' })
  await settle()
  expect([asked, value(), received]).toEqual([
    ['list', 'add streams Yard'],
    'closed',
    [{ type: 'navigation.requested', href: '/administration/groups/g2' }],
  ])
})

test('a name in use is reported beside the field, and the dialog stays', async () => {
  const { send, form, value } = open(refused(409, 'AlreadyUsed'))
  send({ type: 'add.requested', kind: 'users' })
  form().send({ type: 'form.edited', values: { name: 'Guards' } })
  form().send({ type: 'form.submitted' })
  await settle()
  expect([form().getSnapshot().context.errors, value()]).toEqual([{ name: 'AlreadyUsed' }, 'adding'])
})

test('a group is deleted only when that is confirmed', async () => {
  const { send, asked } = open()
  await settle()
  send({ type: 'delete.requested', group })
  send({ type: 'dialog.closed' })
  send({ type: 'delete.requested', group })
  send({ type: 'delete.confirmed' })
  await settle()
  expect(asked).toEqual(['list', 'remove g1', 'list'])
})

test('groups are shown by kind and by a part of their name', () => {
  const yard = { ...group, id: 'g2', kind: 'streams', name: 'Guarded yard' }
  expect(shownGroups([group, yard], 'users', '')).toEqual([group])
  expect(shownGroups([group, yard], 'streams', ' GUARD ')).toEqual([yard])
  expect(shownGroups([group, yard], 'streams', 'x')).toEqual([])
})

test('every edge of the chart is walked', () => {
  const events = {
    'search.changed': [{ type: 'search.changed', searched: 'a' }],
    'add.requested': [{ type: 'add.requested', kind: 'users' }],
    'delete.requested': [{ type: 'delete.requested', group }],
    'delete.confirmed': [{ type: 'delete.confirmed' }],
    'dialog.closed': [{ type: 'dialog.closed' }],
    'page.missing': [{ type: 'page.missing' }],
    'form.saved': [{ type: 'form.saved', answer: { id: 'g2' }, values: { name: 'Yard', kind: 'streams' } }],
  } satisfies { [Type in GroupsEvent['type']]: Extract<GroupsEvent, { type: Type }>[] }
  const { declared, covered, strayed } = walkEdges(groupsMachine, {
    model: groupsMachine.provide({
      actions: { notifyMissing: () => undefined, goToGroup: () => undefined, remove: () => undefined },
    }),
    input: pageInput(),
    events: Object.values(events).flat(),
    name: ({ value }) => JSON.stringify(value),
  })
  expect(strayed).toEqual([])
  expect(covered).toEqual(declared)
})
