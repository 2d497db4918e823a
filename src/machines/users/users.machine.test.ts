import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import { User } from '../../api/contract/user.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { FormReport } from '../form/form.events.ts'
import { userAddMachine } from './user-add.machine.ts'
import { userEditMachine } from './user-edit.machine.ts'
import { type UserInfoEvent, userInfoMachine } from './user-info.machine.ts'
import { blankUser, userFormMachine, userPatch, type UserValues, userValuesOf, validateUser } from './user-values.ts'
import { shownUsers, type UsersEvent, usersMachine } from './users.machine.ts'

const ann = User.parse({ name: 'ann', fullName: 'Ann Lee', email: 'ann@example.org', isAdmin: true })
const bob = User.parse({ name: 'bob', fullName: 'Rob Ray', email: 'b@example.org', maxStreamCreation: 0 })
const cid = User.parse({ name: 'cid', isBlocked: true })
const input = pageInput({ params: { login: 'bob' }, user: ann })
const described = { type: 'page.described', subject: { kind: 'user', id: 'bob', name: 'bob', canAdmin: true } }

const fetched = [
  { type: 'xstate.done.actor.fetchUser', output: ok(bob) },
  { type: 'xstate.done.actor.fetchUser', output: refused(500, '') },
  { type: 'xstate.done.actor.fetchUser', output: refused(404, '') },
  { type: 'xstate.error.actor.fetchUser', error: new Error('not provided') },
]

describe('the list of users', () => {
  const names = (query: string, by: Parameters<typeof shownUsers>[0]['by'] = 'name', isDescending = false) =>
    shownUsers({ users: [cid, ann, bob], query, by, isDescending }).map(({ name }) => name)

  test('is searched by any part of login, name or email, whatever the case', () => {
    expect([names('LEE'), names('b@'), names(' ID '), names('example'), names('x y')]).toEqual([
      ['ann'],
      ['bob'],
      ['cid'],
      ['ann', 'bob'],
      [],
    ])
  })

  test('is sorted by any column, both ways', () => {
    expect([
      names(''),
      names('', 'name', true),
      names('', 'role'),
      names('', 'state', true),
      names('', 'fullName'),
    ]).toEqual([
      ['ann', 'bob', 'cid'],
      ['cid', 'bob', 'ann'],
      ['ann', 'cid', 'bob'],
      ['cid', 'bob', 'ann'],
      ['cid', 'ann', 'bob'],
    ])
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'list.retried' },
      { type: 'query.changed', query: 'a' },
      { type: 'order.chosen', by: 'name' },
      { type: 'order.chosen', by: 'role' },
    ] satisfies UsersEvent[]
    const { declared, covered, strayed } = walkEdges(usersMachine, {
      model: usersMachine.provide({ actions: { notifyMissing: () => undefined } }),
      input,
      events: [
        ...events,
        { type: 'xstate.done.actor.fetchUsers', output: ok({ items: [ann] }) },
        { type: 'xstate.done.actor.fetchUsers', output: refused(500, '') },
        { type: 'xstate.done.actor.fetchUsers', output: refused(404, '') },
        { type: 'xstate.error.actor.fetchUsers', error: new Error('not provided') },
      ],
      name: ({ value, context }) => `${JSON.stringify(value)} ${context.query} ${context.by} ${context.isDescending}`,
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})

describe('adding a user', () => {
  test('leads to the new user', async () => {
    const page = openPage(
      userAddMachine.provide({
        actors: { form: userFormMachine.provide({ actors: { submit: fromPromise(async () => ok({})) } }) },
      }),
      pageInput({ user: ann }),
    )
    page.context().form.send({ type: 'form.edited', values: { name: ' dan/el ', password: 'p' } })
    page.context().form.send({ type: 'form.submitted' })
    await settle()
    expect(page.received).toEqual([{ type: 'navigation.requested', href: '/user/dan%2Fel/info' }])
    expect(page.toasts()).toEqual([{ tone: 'success', code: 'userCreated', values: {} }])
  })

  test('needs a login, a password and a whole number', () => {
    expect(validateUser({ ...blankUser, maxStreamCreation: '1.5' }, blankUser)).toEqual({
      name: 'required',
      password: 'required',
      maxStreamCreation: 'invalidNumber',
    })
    expect(validateUser({ ...blankUser, maxStreamCreation: '-2', name: 'a', password: 'p' }, blankUser)).toEqual({
      maxStreamCreation: 'invalidNumber',
    })
    expect(validateUser({ ...blankUser, maxStreamCreation: '-1', name: 'a', password: 'p' }, blankUser)).toEqual({})
  })

  test('every edge of the chart is walked', () => {
    const saved: FormReport<UserValues, object> = { type: 'form.saved', answer: {}, values: blankUser }
    const { declared, covered, strayed } = walkEdges(userAddMachine, {
      model: userAddMachine.provide({ actions: { goToUser: () => undefined } }),
      input,
      events: [saved],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})

describe('editing a user', () => {
  const open = (user = bob, own = ann, refusals: Reply<never>[] = []) => {
    const asked: object[] = []
    const page = openPage(
      userEditMachine.provide({
        actors: {
          form: userFormMachine.provide({ actors: { submit: fromPromise(async () => ok({})) } }),
          fetchUser: fromPromise(async ({ input: given }) => {
            asked.push(given)
            return (asked.length > 1 ? refusals.shift() : undefined) ?? ok({ user, isOnlyAdministrator: false })
          }),
        },
      }),
      pageInput({ params: { login: 'bob' }, user: own }),
    )
    const save = async (values: Partial<UserValues>) => {
      page.context().form.send({ type: 'form.edited', values })
      page.context().form.send({ type: 'form.submitted' })
      await settle()
    }
    return { ...page, asked, save }
  }

  test('sends only what changed', () => {
    const saved = userValuesOf(bob)
    expect(saved).toEqual({
      ...blankUser,
      name: 'bob',
      fullName: 'Rob Ray',
      email: 'b@example.org',
      maxStreamCreation: '0',
    })
    expect(userPatch({ ...saved, email: ' b@example.org ' }, saved)).toEqual({})
    expect(userPatch({ ...saved, permissionType: 'admin', maxStreamCreation: '', password: 'p' }, saved)).toEqual({
      permissionType: 'admin',
      maxStreamCreation: -1,
      password: 'p',
    })
  })

  test('follows a changed login', async () => {
    const page = open()
    await settle()
    await page.save({ name: 'robert' })
    await settle()
    expect(page.received).toEqual([described, { type: 'navigation.requested', href: '/user/robert/edit' }, described])
    expect(page.asked).toEqual([
      { login: 'bob', isSelf: false },
      { login: 'robert', isSelf: false },
    ])
  })

  test('is saved again while an error is shown, as after saving the user could not be fetched', async () => {
    const page = open(bob, ann, [refused(503, 'ServerBusy')])
    await settle()
    await page.save({ name: 'bobby' })
    await settle()
    expect(page.value()).toBe('failed')
    await page.save({ name: 'robert' })
    await settle()
    expect(page.asked.at(-1)).toEqual({ login: 'robert', isSelf: false })
    expect(page.toasts()?.map(({ code }) => code)).toEqual(['ServerBusy', 'userUpdated'])
  })

  test('reports a changed login of the current user before the page is left', async () => {
    const own = { ...bob, isAdmin: true }
    const page = open(own, own)
    await settle()
    await page.save({ name: 'robert' })
    expect(page.received.slice(2, 4)).toEqual([
      { type: 'user.patched', changes: { name: 'robert', permissionType: 'admin', isAdmin: true } },
      { type: 'navigation.requested', href: '/user/robert/edit' },
    ])
  })

  test('reports the own rights that were saved, with which the user may not be fetched any more', async () => {
    const own = { ...bob, isAdmin: true }
    const page = open(own, own)
    await settle()
    await page.save({ permissionType: 'user' })
    expect(page.received[2]).toEqual({
      type: 'user.patched',
      changes: { name: 'bob', permissionType: 'user', isAdmin: false },
    })
  })

  test('reports an edit of the current user', async () => {
    const page = open(bob, { ...bob, isAdmin: true })
    await settle()
    expect(page.received).toEqual([described, { type: 'user.changed', user: bob }])
  })

  test('every edge of the chart is walked', () => {
    const saved: FormReport<UserValues, object> = { type: 'form.saved', answer: {}, values: userValuesOf(bob) }
    const edited = fetched.map((event) =>
      'output' in event && event.output.ok ? { ...event, output: ok({ user: bob, isOnlyAdministrator: true }) } : event,
    )
    const { declared, covered, strayed } = walkEdges(userEditMachine, {
      model: userEditMachine.provide({
        actions: {
          assignUser: () => undefined,
          notifyUser: () => undefined,
          notifySaved: () => undefined,
          notifyMissing: () => undefined,
        },
      }),
      input,
      events: [saved, { type: 'user.retried' }, ...edited],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})

describe('who a user is', () => {
  const open = (change: Reply<object> = ok({})) => {
    const asked: object[] = []
    const page = openPage(
      userInfoMachine.provide({
        actors: {
          fetchUser: fromPromise(async () => ok(bob)),
          changeUser: fromPromise(async ({ input: given }) => {
            asked.push(given)
            return change
          }),
        },
      }),
      input,
    )
    return { ...page, asked, send: (event: UserInfoEvent) => page.send(event) }
  }

  test("blocking is confirmed first, unblocking isn't", async () => {
    const { send, asked, toasts, received } = open()
    await settle()
    send({ type: 'change.requested', change: 'block' })
    expect(asked).toEqual([])
    send({ type: 'change.confirmed' })
    await settle()
    await settle()
    send({ type: 'change.requested', change: 'unblock' })
    await settle()
    expect(asked).toEqual([
      { login: 'bob', change: 'block' },
      { login: 'bob', change: 'unblock' },
    ])
    expect(toasts()?.map(({ code }) => code)).toEqual(['userBlocked', 'userUnblocked'])
    expect(received[0]).toEqual(described)
  })

  test('deleting leads back to the users', async () => {
    const { send, received, value } = open()
    await settle()
    send({ type: 'change.requested', change: 'delete' })
    send({ type: 'change.cancelled' })
    send({ type: 'change.requested', change: 'delete' })
    send({ type: 'change.confirmed' })
    await settle()
    expect({ value: value(), received }).toEqual({
      value: 'deleted',
      received: [described, { type: 'navigation.requested', href: '/administration/users' }],
    })
  })

  test('a user whom someone else has deleted meanwhile leads there, too', async () => {
    const { send, received, toasts } = open(refused(404, 'NotFound'))
    await settle()
    send({ type: 'change.requested', change: 'delete' })
    send({ type: 'change.confirmed' })
    await settle()
    expect(received.at(-1)).toEqual({ type: 'navigation.requested', href: '/administration/users' })
    expect(toasts()?.map(({ code }) => code)).toEqual(['NotFound'])
  })

  test("the last administrator can't be deleted, with a message", async () => {
    const { send, toasts, value } = open(refused(409, 'ActionNotAcceptable'))
    await settle()
    send({ type: 'change.requested', change: 'delete' })
    send({ type: 'change.confirmed' })
    await settle()
    expect({ value: value(), toasts: toasts() }).toEqual({
      value: 'ready',
      toasts: [{ tone: 'error', code: 'lastAdministrator', values: {} }],
    })
  })

  test("turning the second factor off is confirmed first; its errors aren't about the last administrator", async () => {
    const { send, asked, toasts } = open(refused(409, 'ActionNotAcceptable'))
    await settle()
    send({ type: 'change.requested', change: 'removeTotp' })
    expect(asked).toEqual([])
    send({ type: 'change.confirmed' })
    await settle()
    expect(asked).toEqual([{ login: 'bob', change: 'removeTotp' }])
    expect(toasts()).toEqual([{ tone: 'error', code: 'ActionNotAcceptable', values: {} }])
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'user.retried' },
      { type: 'change.requested', change: 'block' },
      { type: 'change.requested', change: 'unblock' },
      { type: 'change.requested', change: 'delete' },
      { type: 'change.confirmed' },
      { type: 'change.cancelled' },
    ] satisfies UserInfoEvent[]
    const quiet = {
      describe: () => undefined,
      notifyMissing: () => undefined,
      goToUsers: () => undefined,
      notifyDone: () => undefined,
      raiseApiError: () => undefined,
    }
    const { declared, covered, strayed } = walkEdges(userInfoMachine, {
      model: userInfoMachine.provide({ actions: quiet }),
      input,
      events: [
        ...events,
        ...fetched,
        { type: 'xstate.done.actor.changeUser', output: ok({}) },
        { type: 'xstate.done.actor.changeUser', output: refused(409, '') },
        { type: 'xstate.done.actor.changeUser', output: refused(404, 'NotFound') },
        { type: 'xstate.error.actor.changeUser', error: new Error('not provided') },
      ],
      name: ({ value, context }) => `${JSON.stringify(value)} ${context.change}`,
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
