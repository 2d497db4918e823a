import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput, settle } from '../../../tests/machines/page.ts'
import { type NamedStream, type Permission, permissionRows, withRight } from './permissions.ts'
import { type Known, permissionsFormMachine, type PermissionsAnswer, type UserPermissionsEvent, userPermissionsMachine } from './user-permissions.machine.ts'

const input = pageInput({ params: { login: 'bob' } })
const gate: Permission = { uid: 'gate', name: 'Gate', canView: true, canViewArchive: false, canAdmin: false }
const none = { canView: false, canViewArchive: false, canAdmin: false }
const yard = { uid: 'yard', name: 'Yard' }
const pages: NamedStream[][] = [[{ uid: 'gate', name: 'Gate' }], [yard], [{ uid: 'roof', name: 'Roof' }]]

interface Answers {
  streams?: (page: number) => Reply<{ items: NamedStream[]; total: number }>
  save?: Reply<PermissionsAnswer>
}

function open({ streams = (page) => ok({ items: pages[page - 1] ?? [], total: 3 }), save = ok({}) }: Answers = {}) {
  const asked: number[] = []
  const saved: object[] = []
  const page = openPage(
    userPermissionsMachine.provide({
      actors: {
        form: permissionsFormMachine.provide({
          actors: {
            submit: fromPromise(async ({ input: { values } }) => {
              saved.push(values)
              return save
            }),
          },
        }),
        fetchPermissions: fromPromise(async () => ok<Known>({ permissions: [gate], isAdmin: false })),
        fetchStreams: fromPromise(async ({ input: given }) => {
          asked.push(given.page)
          return streams(given.page)
        }),
      },
    }),
    input,
  )
  return { ...page, asked, saved, send: (event: UserPermissionsEvent) => page.send(event), form: () => page.context().form }
}

const all = async () => {
  for (let round = 0; round < 6; round += 1) await settle()
}

describe('what a user may watch', () => {
  test('all streams are read, page after page', async () => {
    const { asked, value, context } = open()
    await all()
    expect({ asked, value: value(), streams: context().streams.length }).toEqual({ asked: [1, 2, 3], value: { ready: 'complete' }, streams: 3 })
  })

  test('a server that gives the same page for ever is asked twice', async () => {
    const { asked, value } = open({ streams: () => ok({ items: pages[0] ?? [], total: 100 }) })
    await all()
    expect({ asked, value: value() }).toEqual({ asked: [1, 2], value: { ready: 'complete' } })
  })

  test('what could be read can be changed where not all could', async () => {
    const { send, value, form } = open({ streams: () => refused(503, 'Unavailable') })
    await all()
    send({ type: 'right.changed', streams: [gate], right: 'canAdmin', isGiven: true })
    expect(value()).toEqual({ ready: 'incomplete' })
    expect(form().getSnapshot().context.values.permissions).toEqual([{ ...gate, canViewArchive: true, canAdmin: true }])
  })

  test('the whole list is saved, and what the server makes of it is taken', async () => {
    const { send, form, saved, toasts } = open({ save: ok({ permissions: [gate] }) })
    await all()
    send({ type: 'right.changed', streams: [yard], right: 'canView', isGiven: true })
    form().send({ type: 'form.submitted' })
    await settle()
    expect(saved).toEqual([{ login: 'bob', permissions: [gate, { ...yard, ...none, canView: true }] }])
    expect(form().getSnapshot().context.values.permissions).toEqual([gate])
    expect(toasts()).toEqual([{ tone: 'success', code: 'permissionsSaved', values: {} }])
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'list.retried' },
      { type: 'query.changed', query: 'a' },
      { type: 'granted.toggled' },
      { type: 'rows.chosen', uids: ['gate'], isChosen: true },
      { type: 'rows.chosen', uids: ['gate'], isChosen: false },
      { type: 'right.changed', streams: [yard], right: 'canView', isGiven: true },
      { type: 'form.saved', answer: {}, values: { login: 'bob', permissions: [] } },
      { type: 'form.refused', code: '' },
    ] satisfies UserPermissionsEvent[]
    const quiet = {
      takePermissions: () => undefined, describe: () => undefined, tellMissing: () => undefined, tellSaved: () => undefined, changeRight: () => undefined,
    }
    const { declared, covered, strayed } = walkEdges(userPermissionsMachine, {
      model: userPermissionsMachine.provide({ actions: quiet }),
      input,
      events: [
        ...events,
        { type: 'xstate.done.actor.fetchPermissions', output: ok({ permissions: [], isAdmin: false }) },
        { type: 'xstate.done.actor.fetchPermissions', output: refused(404, '') },
        { type: 'xstate.done.actor.fetchPermissions', output: refused(500, '') },
        { type: 'xstate.error.actor.fetchPermissions', error: new Error('not provided') },
        { type: 'xstate.done.actor.fetchStreams', output: ok({ items: [yard], total: 2 }) },
        { type: 'xstate.done.actor.fetchStreams', output: refused(500, '') },
        { type: 'xstate.error.actor.fetchStreams', error: new Error('not provided') },
      ],
      name: ({ value, context }) => `${JSON.stringify(value)} ${context.streams.length}`,
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})

describe('rights', () => {
  test('administering includes the archive, the archive includes live, and taking goes the other way', () => {
    const given = withRight([], [yard], 'canViewArchive', true)
    expect(given).toEqual([{ ...yard, canView: true, canViewArchive: true, canAdmin: false }])
    expect(withRight(given, [yard], 'canView', false)).toEqual([{ ...yard, ...none }])
    expect(withRight([], [yard], 'canView', false)).toEqual([])
  })

  test('rows are every stream once, searched, by name with numbers in order', () => {
    const streams = [yard, { uid: 'c10', name: 'Cam 10' }, { uid: 'c9', name: 'Cam 9' }, { uid: 'gate', name: 'Gate' }]
    const shown = { streams, permissions: [gate, { ...none, uid: 'gone', name: '' }], chosen: new Set(['yard']), query: '', isGrantedOnly: false }
    const uids = (change: Partial<typeof shown>) => permissionRows({ ...shown, ...change }).map(({ uid }) => uid)
    expect([uids({}), uids({ query: 'CAM' }), uids({ isGrantedOnly: true })]).toEqual([['c9', 'c10', 'gate', 'gone', 'yard'], ['c9', 'c10'], ['gate']])
    expect(permissionRows(shown).at(-1)).toEqual({ ...yard, ...none, isChosen: true })
  })
})
