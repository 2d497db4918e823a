import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { noAnswer, ok, refused, settingsOf, streamOf, userOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { StreamPermissions } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { withRight } from '../permissions/rights.ts'
import { withListError, type Permission } from './permissions.ts'
import { type KnownPermissions, permissionsForm, streamPermissionsMachine } from './permissions.machine.ts'
import type { StreamContentInput } from './stream-page.machine.ts'
import { userSearchMachine } from './user-search.machine.ts'

const none: Permission = { login: 'rob', canView: false, canViewArchive: false, canAdmin: false }
const input: StreamContentInput = {
  uid: 'gate',
  search: '',
  stream: streamOf({}),
  settings: settingsOf(),
  user: userOf(),
}
test('a right is granted with all lower ones and revoked with all higher ones', () => {
  const admin = withRight(none, 'canAdmin', true)
  expect([
    admin,
    withRight(none, 'canView', true),
    withRight(admin, 'canViewArchive', false),
    withRight(admin, 'canView', false),
  ]).toEqual([
    { login: 'rob', canView: true, canViewArchive: true, canAdmin: true },
    { login: 'rob', canView: true, canViewArchive: false, canAdmin: false },
    { login: 'rob', canView: true, canViewArchive: false, canAdmin: false },
    none,
  ])
})

test("the server's error of a row names its login", () => {
  const apiError = {
    ...noAnswer,
    status: 400,
    code: 'ValidationError',
    details: { 'permissions.1.login': 'Unknown login', other: 'wrong' },
  }
  const merged = withListError({ ok: false, apiError }, { uid: 'gate', permissions: [none, { ...none, login: 'zed' }] })
  expect(merged).toEqual({
    ok: false,
    apiError: { ...apiError, details: { permissions: 'zed: Unknown login; wrong' } },
  })
  expect(withListError(refused(403, 'Forbidden'), { uid: 'gate', permissions: [] })).toEqual(refused(403, 'Forbidden'))
})

describe('the permissions of a stream', () => {
  test('saves the whole list and shows the returned one, sorted by login', async () => {
    const sent: object[] = []
    const answer: StreamPermissions = {
      permissions: [
        { ...none, login: 'zed', canView: true },
        { ...none, canView: true },
      ],
    }
    const machine = streamPermissionsMachine.provide({
      actors: {
        fetchPermissions: fromPromise(async () => ok<KnownPermissions>({ permissions: [none], byGroup: [] })),
        form: permissionsForm.provide({
          actors: {
            submit: fromPromise(async ({ input: { values } }) => {
              sent.push(values)
              return ok(answer)
            }),
          },
        }),
      },
    })
    const actor = createActor(machine, { input, clock: new SimulatedClock() }).start()
    await settle()
    const { form } = actor.getSnapshot().context
    form?.send({ type: 'form.edited', values: { permissions: [none, { ...none, login: 'zed', canView: true }] } })
    form?.send({ type: 'form.submitted' })
    await settle()
    expect(sent).toEqual([{ uid: 'gate', permissions: [none, { ...none, login: 'zed', canView: true }] }])
    expect(form?.getSnapshot().context.values).toEqual({ uid: 'gate', permissions: answer.permissions.toReversed() })
  })

  test('what was changed while the list was being saved stays', async () => {
    const answer = Promise.withResolvers<Reply<StreamPermissions>>()
    const machine = streamPermissionsMachine.provide({
      actors: {
        fetchPermissions: fromPromise(async () => ok<KnownPermissions>({ permissions: [none], byGroup: [] })),
        form: permissionsForm.provide({ actors: { submit: fromPromise(() => answer.promise) } }),
      },
    })
    const actor = createActor(machine, { input, clock: new SimulatedClock() }).start()
    await settle()
    const { form } = actor.getSnapshot().context
    const first = { ...none, canView: true }
    const second = { ...first, canViewArchive: true }
    form?.send({ type: 'form.edited', values: { permissions: [first] } })
    form?.send({ type: 'form.submitted' })
    form?.send({ type: 'form.edited', values: { permissions: [second] } })
    answer.resolve(ok({ permissions: [first] }))
    await settle()
    const { values, saved } = form?.getSnapshot().context ?? {}
    expect([saved?.permissions, values?.permissions]).toEqual([[first], [second]])
  })

  test('every edge of the chart is walked', () => {
    const walked = walkEdges(streamPermissionsMachine, {
      model: streamPermissionsMachine.provide({ actions: { notifyMissing: () => undefined } }),
      input,
      events: [
        { type: 'permissions.retried' },
        { type: 'xstate.done.actor.fetchPermissions', output: ok({ permissions: [], byGroup: [] }) },
        { type: 'xstate.done.actor.fetchPermissions', output: refused(403, 'Forbidden') },
        { type: 'xstate.done.actor.fetchPermissions', output: refused(404, 'NotFound') },
        { type: 'xstate.error.actor.fetchPermissions', error: new Error('broken') },
      ],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(walked.strayed).toEqual([])
    expect(walked.covered).toEqual(walked.declared)
  })
})

describe('finding a user', () => {
  test('asks once the typing rests, and not for nothing', async () => {
    const asked: string[] = []
    const clock = new SimulatedClock()
    const machine = userSearchMachine.provide({
      actors: {
        searchUsers: fromPromise(async ({ input: { query } }) => {
          asked.push(query)
          return ok(['rob'])
        }),
      },
    })
    const actor = createActor(machine, { clock }).start()
    for (const login of ['r', 'ro', ' rob ']) actor.send({ type: 'login.edited', login })
    clock.increment(250)
    await settle()
    expect([asked, actor.getSnapshot().context.found]).toEqual([['rob'], ['rob']])
    actor.send({ type: 'login.edited', login: ' ' })
    clock.increment(250)
    expect([asked, actor.getSnapshot().context.found]).toEqual([['rob'], []])
  })

  test('every edge of the chart is walked', () => {
    const walked = walkEdges(userSearchMachine, {
      model: userSearchMachine,
      events: [
        { type: 'login.edited', login: 'r' },
        { type: 'login.edited', login: '' },
        { type: 'xstate.after.typingPause.userSearch.typing' },
        { type: 'xstate.done.actor.searchUsers', output: ok(['rob']) },
        { type: 'xstate.done.actor.searchUsers', output: refused(403, 'Forbidden') },
        { type: 'xstate.error.actor.searchUsers', error: new Error('broken') },
      ],
      name: ({ value, context }) => JSON.stringify([value, context['login']]),
    })
    expect(walked.strayed).toEqual([])
    expect(walked.covered).toEqual(walked.declared)
  })
})
