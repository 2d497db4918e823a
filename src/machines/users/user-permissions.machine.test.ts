import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { Reply } from '../../api/reply.ts'
import { ok, refused, streamOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { gatheringMachine } from '../streams/gathering.machine.ts'
import { type PagingEvent, pagingMachine } from '../streams/paging.machine.ts'
import type { PagesReply, PagesRequest } from '../streams/pages.ts'
import { rowsOf } from './permission-rows.ts'
import { type Permission, withRights } from './permissions.ts'
import {
  type LoadedPermissions,
  permissionsFormMachine,
  type PermissionsAnswer,
  type UserPermissionsEvent,
  queryOf,
  userPermissionsMachine,
} from './user-permissions.machine.ts'

const input = pageInput({ params: { login: 'bob' } })
const gate: Permission = { uid: 'gate', name: 'Gate', canView: true, canViewArchive: false, canAdmin: false }
const none = { canView: false, canViewArchive: false, canAdmin: false }
const yard = { uid: 'yard', name: 'Yard' }
const streams = ['gate', 'yard', 'roof'].map((uid) => streamOf({ uid, name: uid }))

interface Answers {
  pages?: (request: PagesRequest) => PagesReply
  save?: Reply<PermissionsAnswer>
}

/** Each page has one stream. */
const pagesOf = ({ pages }: PagesRequest): PagesReply =>
  pages.map((page) => ({ page, reply: ok({ items: streams.slice(page - 1, page), page, pageSize: 1, total: 3 }) }))

function open({ pages = pagesOf, save = ok({}) }: Answers = {}) {
  const asked: string[] = []
  const saved: object[] = []
  const fetchPages = fromPromise<PagesReply, PagesRequest>(async ({ input: request }) => {
    asked.push(`${request.query.searchingValues.join()} ${request.pages.join()}`)
    return pages(request)
  })
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
        fetchPermissions: fromPromise(async () =>
          ok<LoadedPermissions>({ permissions: [gate], byGroup: [], isAdmin: false }),
        ),
        paging: pagingMachine.provide({ actors: { fetchPages } }),
        gathering: gatheringMachine.provide({ actors: { fetchPages } }),
      },
    }),
    input,
  )
  return {
    ...page,
    asked,
    saved,
    send: (event: UserPermissionsEvent) => page.send(event),
    form: () => page.context().form,
  }
}

const all = async () => {
  for (let round = 0; round < 6; round += 1) await settle()
}

const found = { query: queryOf('ga '), listing: { total: 3, pageSize: 1, pages: { 1: streams.slice(0, 1) } } }

describe('what a user may watch', () => {
  test('only the first page of streams is fetched, and a search is sent to the server', async () => {
    const { asked, send, value, context } = open()
    await all()
    expect({ asked, value: value() }).toEqual({ asked: [' 1'], value: { ready: 'choosing' } })
    send({ type: 'search.changed', searched: 'ga ' })
    expect(context().searched).toBe('ga ')
  })

  test('all streams of a search are gathered and granted at once, and stay selected', async () => {
    const { asked, send, value, context, form } = open()
    await all()
    send({ type: 'choice.allRequested', gathering: found })
    await all()
    expect({ asked, value: value(), chosen: [...context().chosen.keys()] }).toEqual({
      asked: [' 1', 'ga 2,3'],
      value: { ready: 'choosing' },
      chosen: ['gate', 'yard', 'roof'],
    })
    send({ type: 'right.changed', streams: [...context().chosen.values()], right: 'canViewArchive', isGranted: true })
    expect(
      form()
        .getSnapshot()
        .context.values.permissions.map(({ uid, canViewArchive }: Permission) => `${uid} ${canViewArchive}`),
    ).toEqual(['gate true', 'yard true', 'roof true'])
    send({ type: 'rows.chosen', streams: [yard], isChosen: false })
    expect([...context().chosen.keys()]).toEqual(['gate', 'roof'])
    send({ type: 'choice.cleared' })
    expect(context().chosen.size).toBe(0)
  })

  test('after a failed gathering nothing is selected, and a toast is shown', async () => {
    const { send, value, context, toasts } = open({
      pages: ({ pages }) => pages.map((page) => ({ page, reply: refused(503, 'Unavailable') })),
    })
    await all()
    send({ type: 'choice.allRequested', gathering: found })
    await all()
    expect({ value: value(), chosen: context().chosen.size, toasts: toasts() }).toEqual({
      value: { ready: 'choosing' },
      chosen: 0,
      toasts: [{ tone: 'error', code: 'Unavailable', values: {} }],
    })
  })

  test('the whole list is saved, and the returned one replaces it', async () => {
    const { send, form, saved, toasts } = open({ save: ok({ permissions: [gate] }) })
    await all()
    send({ type: 'right.changed', streams: [yard], right: 'canView', isGranted: true })
    form().send({ type: 'form.submitted' })
    await settle()
    expect(saved).toEqual([{ login: 'bob', permissions: [gate, { ...yard, ...none, canView: true }] }])
    expect(form().getSnapshot().context.values.permissions).toEqual([gate])
    expect(toasts()).toEqual([{ tone: 'success', code: 'permissionsSaved', values: {} }])
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'list.retried' },
      { type: 'search.changed', searched: 'a' },
      { type: 'granted.toggled' },
      { type: 'rows.chosen', streams: [yard], isChosen: true },
      { type: 'rows.chosen', streams: [yard], isChosen: false },
      { type: 'choice.cleared' },
      { type: 'choice.allRequested', gathering: found },
      { type: 'gathering.cancelled' },
      { type: 'right.changed', streams: [yard], right: 'canView', isGranted: true },
      { type: 'form.saved', answer: {}, values: { login: 'bob', permissions: [] } },
    ] satisfies UserPermissionsEvent[]
    const quiet = {
      assignPermissions: () => undefined,
      describe: () => undefined,
      notifyMissing: () => undefined,
      notifySaved: () => undefined,
      changeRight: () => undefined,
    }
    const { declared, covered, strayed } = walkEdges(userPermissionsMachine, {
      model: userPermissionsMachine.provide({ actions: quiet }),
      input,
      events: [
        ...events,
        { type: 'xstate.done.actor.fetchPermissions', output: ok({ permissions: [], byGroup: [], isAdmin: false }) },
        { type: 'xstate.done.actor.fetchPermissions', output: refused(404, '') },
        { type: 'xstate.done.actor.fetchPermissions', output: refused(500, '') },
        { type: 'xstate.error.actor.fetchPermissions', error: new Error('not provided') },
        { type: 'xstate.done.actor.gathering', output: { streams: [yard], apiError: null } },
        {
          type: 'xstate.done.actor.gathering',
          output: { streams: [], apiError: { status: 503, code: 'Unavailable' } },
        },
        { type: 'xstate.error.actor.gathering', error: new Error('not provided') },
      ],
      name: ({ value, context }) => `${JSON.stringify(value)} ${context.chosen.size}`,
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })

  test('every edge of the pages in sight is walked', () => {
    const own = {
      'rows.viewed': [
        { type: 'rows.viewed', first: 0, last: 1 },
        { type: 'rows.viewed', first: 2, last: 3 },
      ],
      'query.changed': [{ type: 'query.changed', query: queryOf('a') }],
      'list.retried': [{ type: 'list.retried' }],
    } satisfies { [Type in PagingEvent['type']]: Extract<PagingEvent, { type: Type }>[] }
    const { declared, covered, strayed } = walkEdges(pagingMachine, {
      model: pagingMachine,
      input: { query: queryOf('') },
      events: [
        ...Object.values(own).flat(),
        { type: 'xstate.done.actor.fetchPages', output: pagesOf({ query: queryOf(''), pages: [1] }) },
        { type: 'xstate.done.actor.fetchPages', output: pagesOf({ query: queryOf(''), pages: [3] }) },
        { type: 'xstate.done.actor.fetchPages', output: [{ page: 1, reply: refused(500, '') }] },
        { type: 'xstate.error.actor.fetchPages', error: new Error('not provided') },
        { type: 'xstate.after.typingPause.paging.typing' },
        { type: 'xstate.after.scrollPause.paging.settling' },
        { type: 'xstate.after.retryPause.paging.failed' },
      ],
      name: ({ value, context }) =>
        JSON.stringify([
          value,
          Object.keys(context['listing']?.pages ?? {}),
          context['isOutdated'],
          context['rowsInSight'],
          context['query'],
        ]),
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})

describe('rights', () => {
  test('administering includes the archive, the archive includes live, and revoking works the other way', () => {
    const given = withRights([], [yard], 'canViewArchive', true)
    expect(given).toEqual([{ ...yard, canView: true, canViewArchive: true, canAdmin: false }])
    expect(withRights(given, [yard], 'canView', false)).toEqual([{ ...yard, ...none }])
    expect(withRights([], [yard], 'canView', false)).toEqual([])
  })

  test('rows are the streams found by the server with their rights, or only granted ones by name', () => {
    const listing = { total: 3, pageSize: 2, pages: { 1: streams.slice(0, 2) } }
    const permissions = [
      { ...gate, uid: 'c10', name: 'Cam 10' },
      { ...gate, uid: 'c9', name: 'Cam 9' },
      gate,
      { ...none, uid: 'roof', name: 'Roof' },
    ]
    const shown = { permissions, listing, searched: '', isGrantedOnly: false }
    const rows = (change: Partial<typeof shown>) => {
      const { count, at } = rowsOf({ ...shown, ...change })
      return Array.from({ length: count }, (_, index) => at(index))
    }
    expect(rows({})).toEqual([gate, { ...none, uid: 'yard', name: 'yard' }, undefined])
    expect(rows({ isGrantedOnly: true }).map((row) => row?.uid)).toEqual(['c9', 'c10', 'gate'])
    expect(rows({ isGrantedOnly: true, searched: ' CAM' }).map((row) => row?.uid)).toEqual(['c9', 'c10'])
  })
})
