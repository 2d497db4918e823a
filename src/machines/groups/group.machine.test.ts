import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { noRights } from '../permissions/rights.ts'
import {
  type SavedGroup,
  groupForm,
  grantedIn,
  groupPatch,
  groupValuesOf,
  type Named,
  permissionRows,
  withPermission,
} from './group-values.ts'
import { type GroupEvent, groupMachine, type KnownGroup, shownCandidates } from './group.machine.ts'

const yard = { streamGroupId: 'g2', name: 'Yard', ...noRights }
const gate = { streamId: 'gate', name: 'Gate', ...noRights, canView: true }
const known: KnownGroup = {
  group: { id: 'g1', kind: 'users', name: 'Guards', members: ['bob', 'ann'] },
  permissions: [gate],
  candidates: ['ann', 'bob', 'Cid'].map((name) => ({ id: name, name })),
  streams: [{ id: 'gate', name: 'Gate' }],
  streamCount: 1,
  streamGroups: [{ id: 'g2', name: 'Yard' }],
}
const gates = [{ id: 'gate', name: 'Gate' }]
const many: KnownGroup = {
  group: { id: 'g2', kind: 'streams', name: 'Yard', members: ['gate'] },
  permissions: [],
  candidates: gates,
  streams: [],
  streamCount: 2,
  streamGroups: [],
}
const values = groupValuesOf(known.group, known.permissions)

const open = (
  fetched: Reply<KnownGroup> = ok(known),
  save: Reply<SavedGroup> = ok({}),
  search: (searched: string) => Promise<Reply<readonly Named[]>> = async () => ok([]),
) => {
  const saved: object[] = []
  const page = openPage(
    groupMachine.provide({
      actors: {
        fetchGroup: fromPromise(async () => fetched),
        searchStreams: fromPromise(({ input: { searched } }) => search(searched)),
        form: groupForm.provide({
          actors: {
            submit: fromPromise(async ({ input: { values: sent } }) => {
              saved.push(sent)
              return save
            }),
          },
        }),
      },
    }),
    pageInput({ params: { id: 'g1' } }),
  )
  return { ...page, saved, send: (event: GroupEvent) => page.send(event), form: () => page.context().form }
}

test('members and permissions are changed in the form; undoing a change leaves nothing to save', async () => {
  const { send, form, saved, toasts } = open()
  await settle()
  const valuesOf = () => form().getSnapshot().context.values
  expect(valuesOf()).toEqual({ id: 'g1', name: 'Guards', members: ['ann', 'bob'], permissions: [gate] })
  send({ type: 'members.changed', ids: ['ann'], isMember: false })
  send({ type: 'members.changed', ids: ['Cid', 'bob'], isMember: true })
  expect(valuesOf().members).toEqual(['Cid', 'bob'])
  send({ type: 'members.changed', ids: ['Cid'], isMember: false })
  send({ type: 'members.changed', ids: ['ann'], isMember: true })
  expect(form().getSnapshot().matches({ leaving: 'free' })).toBe(true)
  send({ type: 'right.changed', target: yard, right: 'canViewArchive', isGranted: true })
  expect(form().getSnapshot().matches({ leaving: 'held' })).toBe(true)
  form().send({ type: 'form.edited', values: { name: 'Night ' } })
  form().send({ type: 'form.submitted' })
  await settle()
  const granted = { ...yard, canView: true, canViewArchive: true }
  expect(saved).toEqual([{ ...values, name: 'Night ', permissions: [granted, gate] }])
  expect(toasts()).toEqual([{ tone: 'success', code: 'groupSaved', values: { name: 'Night' } }])
})

test('after saving, the list has what the server answers', async () => {
  const granted = { ...yard, canView: true }
  const { send, form } = open(ok(known), ok({ permissions: [granted] }))
  await settle()
  send({ type: 'right.changed', target: gate, right: 'canView', isGranted: false })
  form().send({ type: 'form.submitted' })
  await settle()
  expect(form().getSnapshot().context.values.permissions).toEqual([granted])
})

test('a right includes the lower ones; a group of streams without any is forgotten, a stream stays until it is saved', () => {
  const all = withPermission([gate], yard, 'canAdmin', true)
  expect(all).toEqual([{ ...yard, canView: true, canViewArchive: true, canAdmin: true }, gate])
  expect(withPermission(all, yard, 'canView', false)).toEqual([gate])
  expect(withPermission([gate], gate, 'canView', false)).toEqual([{ ...gate, canView: false }])
})

test('there is a row for each group of streams and for each stream with a permission', () => {
  const streams = [gate, { ...gate, streamId: 'dock', name: 'Dock' }]
  expect(permissionRows(streams, known.streamGroups).map(({ name }) => name)).toEqual(['Yard', 'Dock', 'Gate'])
})

test('only the fields that changed are sent', () => {
  expect(groupPatch({ ...values, name: ' Guards ' }, values)).toBe(null)
  expect(groupPatch({ ...values, name: ' Night ' }, values)).toEqual({ name: 'Night' })
  expect(groupPatch({ ...values, members: ['ann'] }, values)).toEqual({ members: ['ann'] })
})

test('of very many streams, those that are not listed are found by the server, once the typing pauses', async () => {
  const asked: string[] = []
  const { send, clock, context, value } = open(ok(many), ok({}), async (searched) => {
    asked.push(searched)
    return ok([...gates, { id: 'gate-2', name: 'Gate 2' }])
  })
  await settle()
  for (const searched of ['g', 'ga ', ' ']) send({ type: 'search.changed', searched })
  clock.increment(300)
  expect([asked, value()]).toEqual([[], { ready: 'listed' }])
  for (const searched of ['g', 'ga ']) send({ type: 'search.changed', searched })
  clock.increment(300)
  await settle()
  expect([asked, context().known?.candidates]).toEqual([['ga'], [...gates, { id: 'gate-2', name: 'Gate 2' }]])
  send({ type: 'search.changed', searched: 'gat' })
  clock.increment(300)
  await settle()
  expect(asked).toEqual(['ga'])
})

test('a search of the server that fails is shown in a toast, and the list stays', async () => {
  for (const search of [async () => refused(500, 'InternalServerError'), () => Promise.reject(new Error('broken'))]) {
    const { send, clock, context, value, toasts } = open(ok(many), ok({}), search)
    await settle()
    send({ type: 'search.changed', searched: 'g' })
    clock.increment(300)
    await settle()
    expect([value(), context().known?.candidates, toasts()?.map(({ tone }) => tone)]).toEqual([
      { ready: 'listed' },
      gates,
      ['error'],
    ])
  }
})

test('permissions without any right are not sent', () => {
  expect(grantedIn(withPermission([gate, yard], gate, 'canView', false))).toEqual(grantedIn([yard]))
})

test('members are searched by name, or alone; an unknown one first', () => {
  const namesOf = (searched: string, areMembersOnly: boolean) =>
    shownCandidates(known.candidates, ['gone', 'bob'], { searched, areMembersOnly }).map(({ name }) => name)
  expect(namesOf('', false)).toEqual(['gone', 'ann', 'bob', 'Cid'])
  expect(namesOf(' C', false)).toEqual(['Cid'])
  expect(namesOf('', true)).toEqual(['gone', 'bob'])
})

test('a group that is missing leads to not-found; any other error is shown until a retry', async () => {
  const missing = open(refused(404, 'NotFound'))
  await settle()
  expect([missing.value(), missing.received]).toEqual(['failed', [{ type: 'page.missing' }]])
  const away = open(refused(503, 'Unavailable'))
  await settle()
  expect([away.value(), away.context().apiError?.code]).toEqual(['failed', 'Unavailable'])
  away.send({ type: 'group.retried' })
  expect(away.value()).toBe('loading')
})

test('every edge of the chart is walked', () => {
  const events = {
    'group.retried': [{ type: 'group.retried' }],
    'search.changed': [
      { type: 'search.changed', searched: 'a' },
      { type: 'search.changed', searched: '' },
    ],
    'members.toggled': [{ type: 'members.toggled' }],
    'members.changed': [{ type: 'members.changed', ids: ['ann'], isMember: true }],
    'right.changed': [{ type: 'right.changed', target: yard, right: 'canView', isGranted: true }],
    'form.saved': [{ type: 'form.saved', answer: {}, values }],
  } satisfies { [Type in GroupEvent['type']]: Extract<GroupEvent, { type: Type }>[] }
  const { declared, covered, strayed } = walkEdges(groupMachine, {
    model: groupMachine.provide({
      guards: { mayFindMore: (_args, { searched }) => searched !== '' },
      actions: {
        notifyMissing: () => undefined,
        handleApiError: () => undefined,
        assignGroup: () => undefined,
        addFound: () => undefined,
        raiseApiError: () => undefined,
        changeMembers: () => undefined,
        changeRight: () => undefined,
        notifySaved: () => undefined,
      },
    }),
    input: pageInput({ params: { id: 'g1' } }),
    events: [
      ...Object.values(events).flat(),
      { type: 'xstate.done.actor.fetchGroup', output: ok(many) },
      { type: 'xstate.done.actor.fetchGroup', output: refused(404, 'NotFound') },
      { type: 'xstate.done.actor.fetchGroup', output: refused(500, 'InternalServerError') },
      { type: 'xstate.error.actor.fetchGroup', error: new Error('not provided') },
      { type: 'xstate.after.typingPause.group.ready.typing' },
      { type: 'xstate.done.actor.searchStreams', output: ok([]) },
      { type: 'xstate.done.actor.searchStreams', output: refused(500, 'InternalServerError') },
      { type: 'xstate.error.actor.searchStreams', error: new Error('not provided') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(strayed).toEqual([])
  expect(covered).toEqual(declared)
})
