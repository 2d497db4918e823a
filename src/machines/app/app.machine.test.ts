import { type AnyEventObject, setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import { configurationOf, healthOf, ok, refused, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { inputOf, never, settle, startConsole, unauthorized } from '../../../tests/machines/console.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import type { AppEvent, Subject } from './app.events.ts'
import { appMachine } from './app.machine.ts'

const reader = userOf({ name: 'rob', isAdmin: false, maxStreamCreation: 0 })
const subject: Subject = { kind: 'stream', id: 'gate', name: 'Gate', canAdmin: true }

describe('start-up (spec.md §1)', () => {
  test('asks configuration, then settings, then health beside the user, and starts the page', async () => {
    const { calls, pages, context } = startConsole('/help', { configuration: () => ok(configurationOf({ appTitle: 'Yard' })) })
    await settle()
    expect(calls.slice(0, 2)).toEqual(['configuration', 'settings'])
    expect(calls.slice(2).toSorted()).toEqual(['health', 'user'])
    expect({ pages, title: context().configuration.appTitle }).toEqual({ pages: ['help started for ann'], title: 'Yard' })
  })

  test('settings that fail: signed out, told once, and health asks all the same', async () => {
    const { calls, where, context, toasts } = startConsole('/help', { settings: () => refused(0, 'NoResponse'), health: () => refused(0, 'NoResponse') })
    await settle()
    expect(calls.slice(0, 3)).toEqual(['configuration', 'settings', 'health'])
    expect({ where: where(), user: context().user, hasSettings: context().hasSettings, toasts: toasts() }).toEqual({
      where: '/auth',
      user: null,
      hasSettings: false,
      toasts: ['NoResponse'],
    })
  })

  test('a server that comes back is asked again for settings and user, and one goes on where one was going', async () => {
    const { answers, clock, where, context, toasts } = startConsole('/help?topic=keys', {
      settings: () => refused(0, 'NoResponse'),
      health: () => refused(0, 'NoResponse'),
    })
    await settle()
    answers.settings = () => ok(settingsOf({ version: '4.2' }))
    answers.health = () => ok(healthOf())
    clock.increment(60_000)
    await settle()
    expect({ where: where(), user: context().user?.name, version: context().settings.version, toasts: toasts() }).toEqual({
      where: '/help?topic=keys',
      user: 'ann',
      version: '4.2',
      toasts: [],
    })
  })

  test.each([
    [refused(500, 'InternalServerError'), ['InternalServerError']],
    [refused(502, ''), ['NoResponse']],
    [refused(200, 'UnreadableReply'), ['UnreadableReply']],
    [refused(404, 'NotFound'), []],
  ])('settings refused with %o are told as %o', async (reply, codes) => {
    const { toasts } = startConsole('/help', { settings: () => reply, health: never })
    await settle()
    expect(toasts()).toEqual(codes)
  })

  test('a user that could not be asked for is told, and asked for again when the server answers', async () => {
    const { answers, clock, toasts, where } = startConsole('/help', { user: () => refused(500, 'InternalServerError'), health: never })
    await settle()
    expect({ toasts: toasts(), where: where() }).toEqual({ toasts: ['InternalServerError'], where: '/auth' })
    answers.user = () => ok(userOf())
    answers.health = () => ok(healthOf())
    clock.increment(60_000)
    await settle()
    expect(where()).toBe('/help')
  })

  test('nothing that answers still ends in the sign-in page, with a word about it', async () => {
    const { clock, where, toasts } = startConsole('/help', { configuration: never, settings: never, health: never })
    for (let step = 0; step < 2; step += 1) {
      clock.increment(10_000)
      await settle()
    }
    expect({ where: where(), toasts: toasts() }).toEqual({ where: '/auth', toasts: ['NoResponse'] })
  })
})

describe('who may enter (contract.md §1)', () => {
  test.each(['/auth', '/recover-password', '/not-found', '/nowhere'])('the 401 of the start-up leaves one on %s', async (href) => {
    const { steps, where, toasts } = startConsole(href, { user: unauthorized })
    await settle()
    expect({ steps, where: where(), toasts: toasts() }).toEqual({ steps: [], where: href, toasts: [] })
  })

  test.each(['/', '/streams', '/administration', '/profile/me', '/stream/gate/view', '/add-stream', '/mosaic/7'])(
    'the 401 of the start-up leads from %s to sign-in, without a toast',
    async (href) => {
      const { steps, toasts } = startConsole(href, { user: unauthorized })
      await settle()
      expect({ steps, toasts: toasts() }).toEqual({ steps: ['=/auth'], toasts: [] })
    },
  )

  test('a visitor with a share token stays on the stream, and nowhere else', async () => {
    const { pages, where, go } = startConsole('/stream/gate/view', { user: unauthorized }, { isShared: true })
    await settle()
    expect({ pages, where: where() }).toEqual({ pages: ['streamViewgate started for nobody'], where: '/stream/gate/view' })
    await go('/stream/gate/info')
    expect(where()).toBe('/auth')
  })

  test('a share that was withdrawn leads to sign-in and back', async () => {
    const { where, send, context } = startConsole('/stream/gate/view?at=1', { user: unauthorized }, { isShared: true })
    await settle()
    await send({ type: 'wire.unauthorized' })
    expect({ where: where(), destination: context().destination }).toEqual({
      where: '/auth',
      destination: { name: 'streamView', params: { uid: 'gate' }, search: '?at=1' },
    })
  })

  test.each(['/administration/stats', '/user/add', '/user/rob/info', '/swagger', '/administration/users'])('%s is forbidden to others than administrators', async (href) => {
    const { state, pages, where } = startConsole(href, { user: () => ok(reader) })
    await settle()
    expect({ page: state(), pages, where: where() }).toMatchObject({ page: { running: { page: 'forbidden' } }, pages: [], where: href })
  })

  test('a forbidden page is left like any other, and opens to one who becomes an administrator', async () => {
    const { pages, go, send } = startConsole('/administration/stats', { user: () => ok(reader) })
    await settle()
    await go('/help')
    await go('/administration/stats')
    await send({ type: 'user.changed', user: userOf({ name: 'rob' }) })
    expect(pages).toEqual(['help started for rob', 'help stopped', 'statistics started for rob'])
  })

  test.each([
    ['/', '/streams'],
    ['/profile/me', '/profile/me/info'],
    ['/user/rob', '/user/rob/info'],
    ['/user/a%2Fb', '/user/a%2Fb/info'],
    ['/stream/gate', '/stream/gate/info'],
    ['/administration', '/administration/stats'],
    ['/license', '/administration/license'],
    ['/license?from=mail', '/administration/license?from=mail'],
    ['/init', '/streams'],
    ['/auth', '/streams'],
  ])('%s leads to %s, leaving no step behind', async (from, to) => {
    const { steps, where } = startConsole(from)
    await settle()
    expect({ steps, where: where() }).toEqual({ steps: [`=${to}`], where: to })
  })
})

describe('signing in (spec.md §4, contract.md §1)', () => {
  const signIn = { type: 'session.opened', mustChangePassword: false } as const

  test('leads to where one was going, which is then forgotten', async () => {
    const { answers, send, where, steps, context } = startConsole('/stream/gate/view?at=1', { user: unauthorized })
    await settle()
    answers.user = () => ok(userOf())
    await send(signIn)
    expect({ where: where(), steps }).toEqual({ where: '/stream/gate/view?at=1', steps: ['=/auth', '=/stream/gate/view?at=1'] })
    expect(context().destination).toEqual({ name: 'streamView', params: { uid: 'gate' }, search: '?at=1' })
  })

  test('leads to the streams where nothing is stored', async () => {
    const { answers, send, where, context } = startConsole('/auth', { user: unauthorized })
    await settle()
    expect(context().destination).toBeNull()
    answers.user = () => ok(userOf())
    await send(signIn)
    expect(where()).toBe('/streams')
  })

  test('what was stored in an earlier visit wins over the first address', async () => {
    const stored = { name: 'bookmarks', params: {}, search: '' } as const
    const { answers, send, where } = startConsole('/help', { user: unauthorized }, { destination: stored })
    await settle()
    answers.user = () => ok(userOf())
    await send(signIn)
    expect(where()).toBe('/bookmarks')
  })

  test.each(['/auth', '/recover-password', '/init', '/not-found', '/nowhere'])('%s is never stored', async (href) => {
    const { context } = startConsole(href, { user: unauthorized })
    await settle()
    expect(context().destination).toBeNull()
  })

  test('only the first navigation is stored', async () => {
    const { context, go } = startConsole('/recover-password')
    await settle()
    await go('/help?a=1')
    await go('/bookmarks')
    expect(context().destination).toEqual({ name: 'help', params: {}, search: '?a=1' })
  })

  test('a password that must be changed comes first, and the destination waits until it is', async () => {
    const { answers, send, where, context } = startConsole('/help?topic=keys', { user: unauthorized })
    await settle()
    answers.user = () => ok(userOf())
    await send({ type: 'session.opened', mustChangePassword: true })
    expect({ where: where(), destination: context().destination?.name }).toEqual({ where: '/profile/me/edit', destination: 'help' })
    await send({ type: 'password.changed' })
    expect({ where: where(), must: context().mustChangePassword }).toEqual({ where: '/help?topic=keys', must: false })
    await send({ type: 'password.changed' })
    expect(where()).toBe('/help?topic=keys')
  })

  test('a 401 in the middle of a required change keeps the first destination', async () => {
    const { answers, send, where } = startConsole('/help', { user: unauthorized })
    await settle()
    answers.user = () => ok(userOf())
    await send({ type: 'session.opened', mustChangePassword: true })
    await send({ type: 'wire.unauthorized' })
    expect(where()).toBe('/auth')
    await send({ type: 'session.opened', mustChangePassword: true })
    await send({ type: 'password.changed' })
    expect(where()).toBe('/help')
  })

  test('a user that can not be had is told, and one stays', async () => {
    const { answers, send, where, toasts, context } = startConsole('/auth', { user: unauthorized })
    await settle()
    answers.user = () => refused(500, 'InternalServerError')
    await send({ type: 'session.opened', mustChangePassword: true })
    expect({ where: where(), toasts: toasts() }).toEqual({ where: '/auth', toasts: ['InternalServerError'] })
    answers.user = unauthorized
    await send(signIn)
    expect({ toasts: toasts(), user: context().user }).toEqual({ toasts: ['InternalServerError'], user: null })
  })

  test('signing in while the server is still asked who is here is not lost', async () => {
    const { answers, clock, send, where } = startConsole('/auth', { settings: () => refused(0, 'NoResponse'), health: () => refused(0, 'NoResponse') })
    await settle()
    answers.health = () => ok(healthOf())
    answers.user = never
    clock.increment(60_000)
    await settle()
    answers.user = () => ok(userOf())
    await send(signIn)
    expect(where()).toBe('/streams')
  })
})

describe('a later 401 (contract.md §1)', () => {
  test('leads to sign-in and back to the current address, its query too', async () => {
    const { answers, go, send, where, pages, context } = startConsole('/help')
    await settle()
    await go('/stream/gate/view?at=1#x')
    await send({ type: 'wire.unauthorized' })
    expect({ where: where(), destination: context().destination, user: context().user }).toEqual({
      where: '/auth',
      destination: { name: 'streamView', params: { uid: 'gate' }, search: '?at=1' },
      user: null,
    })
    await send({ type: 'wire.unauthorized' })
    answers.user = () => ok(reader)
    await send({ type: 'session.opened', mustChangePassword: false })
    expect({ where: where(), pages }).toEqual({
      where: '/stream/gate/view?at=1',
      pages: [
        'help started for ann', 'help stopped', 'streamViewgate started for ann', 'streamView stopped', 'auth started for nobody',
        'auth stopped', 'streamViewgate started for rob',
      ],
    })
  })

  test('on a page that is not worth coming back to keeps what was stored', async () => {
    const { go, send, context, where } = startConsole('/help')
    await settle()
    await go('/nowhere')
    await send({ type: 'wire.unauthorized' })
    expect({ destination: context().destination?.name, where: where() }).toEqual({ destination: 'help', where: '/nowhere' })
  })
})

describe('signing out (spec.md §4)', () => {
  test('clears the user and the destination, and leads to sign-in', async () => {
    const { send, where, context, pages } = startConsole('/help')
    await settle()
    await send({ type: 'session.closeRequested' })
    expect({ where: where(), user: context().user, destination: context().destination, pages }).toEqual({
      where: '/auth',
      user: null,
      destination: null,
      pages: ['help started for ann', 'help stopped', 'auth started for nobody'],
    })
  })

  test('that fails keeps the user and tells', async () => {
    const { send, where, context, toasts, pages } = startConsole('/help', { signOut: () => refused(503, 'Unavailable') })
    await settle()
    await send({ type: 'session.closeRequested' })
    expect({ where: where(), user: context().user?.name, toasts: toasts(), pages }).toEqual({
      where: '/help',
      user: 'ann',
      toasts: ['Unavailable'],
      pages: ['help started for ann'],
    })
  })

  test('that breaks keeps the user and tells', async () => {
    const { send, context, toasts } = startConsole('/help', { signOut: () => Promise.reject(new Error('broken')) })
    await settle()
    await send({ type: 'session.closeRequested' })
    expect({ user: context().user?.name, toasts: toasts() }).toEqual({ user: 'ann', toasts: [''] })
  })

  test('of a session that is over already is signing out all the same', async () => {
    const { send, where, context, toasts } = startConsole('/help', { signOut: never })
    await settle()
    await send({ type: 'session.closeRequested' })
    await send({ type: 'wire.unauthorized' })
    expect({ where: where(), destination: context().destination, toasts: toasts() }).toEqual({ where: '/auth', destination: null, toasts: [] })
  })
})

describe('a locked server (contract.md §2)', () => {
  const locked = () => ok(settingsOf({ isLocked: true }))

  test.each([
    ['the settings say so', { settings: locked, user: unauthorized }],
    ['the settings answer 423', { settings: () => refused(423, '') }],
    ['the user answers 423', { user: () => refused(423, '') }],
  ])('leads to init where %s, without a toast', async (_, world) => {
    const { where, toasts, pages } = startConsole('/streams', world)
    await settle()
    expect({ where: where(), toasts: toasts(), pages }).toEqual({ where: '/init', toasts: [], pages: ['init started for nobody'] })
  })

  test.each(['/auth', '/not-found', '/administration', '/recover-password'])('leads to init from %s too', async (href) => {
    const { where } = startConsole(href, { settings: locked })
    await settle()
    expect(where()).toBe('/init')
  })

  test('a 423 from any call locks, and no settings lift it', async () => {
    const { send, go, where, context } = startConsole('/help')
    await settle()
    await send({ type: 'wire.locked' })
    expect({ where: where(), user: context().user }).toEqual({ where: '/init', user: null })
    await go('/streams')
    await send({ type: 'settings.outdated' })
    expect({ where: where(), isLocked: context().isLocked }).toEqual({ where: '/init', isLocked: true })
  })

  test('a user who is still being asked for does not lift it', async () => {
    const { answers, send, where, context } = startConsole('/auth', { user: unauthorized })
    await settle()
    let answer: (user: ReturnType<typeof ok<ReturnType<typeof userOf>>>) => void = () => undefined
    answers.user = () => new Promise((resolve) => (answer = resolve))
    await send({ type: 'session.opened', mustChangePassword: false })
    await send({ type: 'wire.locked' })
    answer(ok(userOf()))
    await settle()
    expect({ where: where(), isLocked: context().isLocked }).toEqual({ where: '/init', isLocked: true })
  })

  test('an unlock signs in and leads to the streams', async () => {
    const { answers, send, where, context } = startConsole('/streams', { settings: locked, user: () => refused(423, '') })
    await settle()
    answers.settings = () => ok(settingsOf())
    await send({ type: 'session.started', user: userOf() })
    expect({ where: where(), user: context().user?.name, isLocked: context().isLocked }).toEqual({ where: '/streams', user: 'ann', isLocked: false })
  })

  test('somebody else was quicker: the lock is lifted and one may sign in', async () => {
    const { answers, send, where } = startConsole('/streams', { settings: locked, user: () => refused(423, '') })
    await settle()
    answers.settings = () => ok(settingsOf())
    await send({ type: 'lock.lifted' })
    expect(where()).toBe('/auth')
  })

  test('a sign-out under way ends with the lock, without a word', async () => {
    const { answers, send, where, toasts } = startConsole('/help')
    await settle()
    answers.signOut = async () => refused(423, '')
    await send({ type: 'session.closeRequested' })
    await send({ type: 'wire.locked' })
    expect({ where: where(), toasts: toasts() }).toEqual({ where: '/init', toasts: [] })
  })
})

describe('the settings (spec.md §2)', () => {
  const count = (calls: readonly string[]) => calls.filter((call) => call === 'settings').length

  test('are fetched again on each change of path, not of query or fragment', async () => {
    const { calls, go } = startConsole('/help')
    await settle()
    const counts = [count(calls)]
    for (const href of ['/bookmarks', '/bookmarks?a=1', '/bookmarks?a=1#b', '/bookmarks', '/help']) {
      await go(href)
      counts.push(count(calls))
    }
    expect(counts).toEqual([1, 2, 2, 2, 2, 3])
  })

  test('a later navigation cancels the fetch before', async () => {
    const { answers, aborted, calls, go, context } = startConsole('/help')
    await settle()
    answers.settings = never
    await go('/bookmarks')
    answers.settings = () => ok(settingsOf({ version: '5' }))
    await go('/streams')
    expect({ aborted: aborted.filter((call) => call === 'settings').length, count: count(calls), version: context().settings.version }).toEqual({
      aborted: 1,
      count: 3,
      version: '5',
    })
  })

  test('the last ones are kept where a fetch fails, which is told and withdrawn by the next that succeeds', async () => {
    const { answers, go, context, toasts } = startConsole('/help', { settings: () => ok(settingsOf({ version: '4.2' })) })
    await settle()
    answers.settings = () => refused(503, 'Unavailable')
    await go('/bookmarks')
    expect({ version: context().settings.version, toasts: toasts(), hasSettings: context().hasSettings }).toEqual({
      version: '4.2',
      toasts: ['Unavailable'],
      hasSettings: true,
    })
    answers.settings = () => ok(settingsOf({ version: '4.3' }))
    await go('/help')
    expect({ version: context().settings.version, toasts: toasts() }).toEqual({ version: '4.3', toasts: [] })
  })

  test('a fetch that failed is tried again when the server answers', async () => {
    const { answers, clock, go, context, toasts } = startConsole('/help')
    await settle()
    answers.settings = () => Promise.reject(new Error('broken'))
    await go('/bookmarks')
    expect(toasts()).toEqual(['NoResponse'])
    answers.settings = () => ok(settingsOf({ version: '4.3' }))
    clock.increment(60_000)
    await settle()
    expect({ version: context().settings.version, toasts: toasts() }).toEqual({ version: '4.3', toasts: [] })
  })

  test('are fetched again when they are outdated', async () => {
    const { calls, send } = startConsole('/help')
    await settle()
    await send({ type: 'settings.outdated' })
    expect(count(calls)).toBe(2)
  })
})

describe('the page', () => {
  test('is stopped when it is left, and the next one starts with its params', async () => {
    const { go, pages, scrolls } = startConsole('/stream/gate/info')
    await settle()
    await go('/stream/yard/info')
    await go('/user/rob/edit')
    expect({ pages, scrolls: scrolls.count }).toEqual({
      pages: [
        'streamInfogate started for ann', 'streamInfo stopped', 'streamInfoyard started for ann', 'streamInfo stopped', 'userEditrob started for ann',
      ],
      scrolls: 2,
    })
  })

  test('is told of a new query or fragment, and stays', async () => {
    const { go, pages, scrolls } = startConsole('/help')
    await settle()
    await go('/help?topic=keys')
    await go('/help?topic=keys#zoom')
    expect({ pages, scrolls: scrolls.count }).toEqual({
      pages: ['help started for ann', 'help told address.changed ?topic=keys', 'help told address.changed ?topic=keys#zoom'],
      scrolls: 0,
    })
  })

  test('whose code comes late, after one has gone on, never starts', async () => {
    let deliver: (logic: null) => void = () => undefined
    const { answers, go, pages } = startConsole('/help', { page: () => new Promise((resolve) => (deliver = resolve)) })
    await settle()
    answers.page = () => null
    await go('/bookmarks')
    deliver(null)
    await settle()
    expect(pages).toEqual(['bookmarks started for ann'])
  })

  test('whose code can not be had says so, and is tried again on request', async () => {
    const { answers, send, state, pages } = startConsole('/help', { page: () => Promise.reject(new Error('gone')) })
    await settle()
    expect(state()).toMatchObject({ running: { page: 'broken' } })
    answers.page = () => null
    await send({ type: 'page.retried' })
    expect(pages).toEqual(['help started for ann'])
  })

  test('whose machine throws is broken, and the console lives', async () => {
    const failing = setup({ actions: { fail: () => { throw new Error('a fault of the page') } } }).createMachine({ on: { 'address.changed': { actions: 'fail' } } })
    const { answers, actor, go, state, pages } = startConsole('/help', { page: () => failing })
    await settle()
    await go('/help?a=1')
    expect({ status: actor.getSnapshot().status, state: state() }).toMatchObject({ status: 'active', state: { running: { page: 'broken' } } })
    answers.page = () => null
    await go('/bookmarks')
    expect(pages).toEqual(['bookmarks started for ann'])
  })

  test('that is about something missing leads to not-found, leaving no step behind', async () => {
    const { send, steps, where, toasts, state } = startConsole('/stream/gate/info')
    await settle()
    await send({ type: 'page.missing' })
    expect({ steps, where: where(), toasts: toasts(), state: state() }).toMatchObject({
      steps: ['=/not-found'],
      where: '/not-found',
      toasts: [],
      state: { running: { page: 'missing' } },
    })
  })

  test('describes what it is about until it is left', async () => {
    const { send, go, context } = startConsole('/stream/gate/info')
    await settle()
    await send({ type: 'page.described', subject })
    await go('/stream/gate/info?a=1')
    expect(context().subject).toEqual(subject)
    await go('/help')
    expect(context().subject).toBeNull()
  })

  test('can ask for another address', async () => {
    const { send, steps, where } = startConsole('/help')
    await settle()
    await send({ type: 'navigation.requested', href: '/bookmarks?a=1' })
    expect({ steps, where: where() }).toEqual({ steps: ['/bookmarks?a=1'], where: '/bookmarks?a=1' })
  })
})

describe('language and theme', () => {
  test('a choice takes effect at once and is saved with the user', async () => {
    const { send, calls, context } = startConsole('/help')
    await settle()
    await send({ type: 'language.chosen', language: 'ru' })
    expect({ language: context().language, user: context().user?.language, saved: calls.at(-1) }).toEqual({ language: 'ru', user: 'ru', saved: 'language ru' })
  })

  test('a save that fails is told, and the choice stays', async () => {
    const { send, context, toasts } = startConsole('/help', { saveLanguage: () => refused(500, 'InternalServerError') })
    await settle()
    await send({ type: 'language.chosen', language: 'ru' })
    expect({ language: context().language, toasts: toasts() }).toEqual({ language: 'ru', toasts: ['InternalServerError'] })
  })

  test('a second choice cancels the save of the first', async () => {
    const { answers, send, calls, aborted } = startConsole('/help')
    await settle()
    answers.saveLanguage = never
    await send({ type: 'language.chosen', language: 'ru' })
    answers.saveLanguage = () => ok({})
    await send({ type: 'language.chosen', language: 'en' })
    expect({ calls: calls.slice(-2), aborted: aborted.filter((call) => call.startsWith('language')) }).toEqual({
      calls: ['language ru', 'language en'],
      aborted: ['language ru'],
    })
  })

  test('signed out it is only this browser that remembers', async () => {
    const { send, calls, context } = startConsole('/auth', { user: unauthorized })
    await settle()
    await send({ type: 'language.chosen', language: 'ru' })
    await send({ type: 'theme.chosen', theme: 'light' })
    expect({ language: context().language, theme: context().theme, saved: calls.filter((call) => call.startsWith('language')) }).toEqual({
      language: 'ru',
      theme: 'light',
      saved: [],
    })
  })
})

test('every edge of the chart is walked', () => {
  const at = (pathname: string, search = '') => ({ type: 'location.changed', address: { pathname, search, hash: '' } }) as const
  const own = {
    'location.changed': [at('/help'), at('/help', '?a=1'), at('/auth'), at('/nowhere'), at('/administration/stats'), at('/stream/gate/view')],
    'boot.settled': [{ type: 'boot.settled' }],
    'navigation.requested': [{ type: 'navigation.requested', href: '/help' }],
    'session.opened': [{ type: 'session.opened', mustChangePassword: true }],
    'session.started': [{ type: 'session.started', user: userOf() }],
    'session.closeRequested': [{ type: 'session.closeRequested' }],
    'wire.unauthorized': [{ type: 'wire.unauthorized' }],
    'wire.locked': [{ type: 'wire.locked' }],
    'lock.lifted': [{ type: 'lock.lifted' }],
    'settings.outdated': [{ type: 'settings.outdated' }],
    'server.answered': [{ type: 'server.answered' }],
    'user.changed': [{ type: 'user.changed', user: reader }],
    'password.changed': [{ type: 'password.changed' }],
    'language.chosen': [{ type: 'language.chosen', language: 'ru' }],
    'theme.chosen': [{ type: 'theme.chosen', theme: 'light' }],
    'page.described': [{ type: 'page.described', subject }],
    'page.missing': [{ type: 'page.missing' }],
    'page.retried': [{ type: 'page.retried' }],
  } satisfies { [Type in Exclude<AppEvent['type'], `xstate.${string}`>]: Extract<AppEvent, { type: Type }>[] }
  const booted = { configuration: null, settings: settingsOf(), settingsRefusal: null, user: userOf(), userRefusal: null }
  const failed = { error: new Error('broken') }
  const events: AnyEventObject[] = [
    ...Object.values(own).flat(),
    { type: 'xstate.done.actor.boot', output: booted },
    { type: 'xstate.done.actor.boot', output: { ...booted, settings: null, user: null } },
    ...[ok(userOf()), refused(401, ''), refused(500, '')].map((output) => ({ type: 'xstate.done.actor.fetchUser', output })),
    ...[ok(settingsOf()), refused(500, '')].map((output) => ({ type: 'xstate.done.actor.fetchSettings', output })),
    ...['saveLanguage', 'signOut'].flatMap((id) => [ok({}), refused(500, '')].map((output) => ({ type: `xstate.done.actor.${id}`, output }))),
    { type: 'xstate.done.actor.loadPage', output: null },
    ...['boot', 'fetchUser', 'fetchSettings', 'saveLanguage', 'signOut', 'loadPage'].map((id) => ({ type: `xstate.error.actor.${id}`, ...failed })),
    { type: 'xstate.error.actor', actorId: 'page', ...failed },
  ]
  const mute = () => undefined
  const machine = appMachine.provide({ guards: { isPageFailure: ({ event }) => 'actorId' in event && event.actorId === 'page' } })
  const walked = walkEdges(machine, {
    model: machine.provide({
      actions: { startHealth: mute, tellRefusal: mute, tellSettingsFailure: mute, withdrawSettingsFailure: mute, stopPage: mute },
    }),
    input: inputOf('/help', { isShared: true }),
    events,
    name: ({ value, context: { route, isLocked, user, mustChangePassword } }) =>
      JSON.stringify([value, route.name === 'streamView' && user === null && !isLocked, mustChangePassword && value.running?.page === 'active']),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
}, 120_000)
