import { describe, expect, test } from 'vitest'
import { healthOf, ok, refused, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { never, startConsole, unauthorized } from '../../../tests/machines/console.ts'
import { settle } from '../../../tests/machines/settle.ts'

const reader = userOf({ name: 'rob', isAdmin: false, maxStreamCreation: 0 })

describe('signing in (docs/behaviour.md §11, docs/wire.md §1)', () => {
  const signIn = { type: 'session.opened', mustChangePassword: false } as const

  test('leads to the destination, which is then cleared', async () => {
    const { answers, send, go, where, steps, context } = startConsole('/stream/gate/view?at=1', { user: unauthorized })
    await settle()
    answers.user = () => ok(userOf())
    await send(signIn)
    expect({ where: where(), steps }).toEqual({
      where: '/stream/gate/view?at=1',
      steps: ['=/auth', '=/stream/gate/view?at=1'],
    })
    expect(context().destination).toBeNull()
    await go('/help')
    expect(context().destination).toEqual({ name: 'help', params: {}, search: '' })
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

  test('a session that ended meanwhile leads to the present address, not to the stored destination', async () => {
    const stored = { name: 'streams', params: {}, search: '' } as const
    const { answers, send, where } = startConsole(
      '/bookmarks',
      { user: unauthorized },
      { destination: stored, wasSignedIn: true },
    )
    await settle()
    answers.user = () => ok(userOf())
    await send(signIn)
    expect(where()).toBe('/bookmarks')
  })

  test('a single sign-on that failed leads back to the sign-in page, and the stored destination stays', async () => {
    const stored = { name: 'bookmarks', params: {}, search: '' } as const
    const { answers, send, where } = startConsole(
      '/auth?failure=away',
      { user: unauthorized },
      { destination: stored, wasSignedIn: true },
    )
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
    expect({ where: where(), destination: context().destination?.name }).toEqual({
      where: '/profile/me/edit',
      destination: 'help',
    })
    await send({ type: 'password.changed' })
    expect({ where: where(), must: context().mustChangePassword }).toEqual({ where: '/help?topic=keys', must: false })
    await send({ type: 'password.changed' })
    expect(where()).toBe('/help?topic=keys')
  })

  test.each([
    ['the answer for the user', () => ok(userOf()), true],
    ['a server that is away', () => refused(502, ''), true],
    ['the end of the session', unauthorized, false],
  ] as const)('that it must be changed is remembered over a reload: %s', async (_name, user, isRemembered) => {
    const { context } = startConsole('/profile/me/edit', { user }, { mustChangePassword: true })
    await settle()
    expect(context().mustChangePassword).toBe(isRemembered)
    expect(context().lastPublished.mustChangePassword).toBe(isRemembered)
  })

  test.each([
    [{ mustChangePassword: true }, { type: 'password.changed' }],
    [{ isTotpRequired: true }, { type: 'factor.added' }],
  ] as const)('the page for what is due is no destination: %o', async (due, done) => {
    const { answers, send, where } = startConsole('/auth', { user: unauthorized })
    const signInDue = { type: 'session.opened', mustChangePassword: 'mustChangePassword' in due } as const
    await settle()
    answers.user = () => ok(userOf(due))
    await send(signInDue)
    await send({ type: 'wire.unauthorized' })
    await send(signInDue)
    await send({ type: 'user.changed', user: userOf({ hasTotp: true }) })
    await send(done)
    expect(where()).toBe('/streams')
  })

  test('that holds for a user who is known only once the server answers, too', async () => {
    const { answers, clock, send, where } = startConsole('/help?topic=keys', {
      settings: () => refused(0, 'NoResponse'),
      health: () => refused(0, 'NoResponse'),
      user: () => ok(userOf({ mustChangePassword: true })),
    })
    await settle()
    answers.settings = () => ok(settingsOf())
    answers.health = () => ok(healthOf())
    clock.increment(60_000)
    await settle()
    await settle()
    expect(where()).toBe('/profile/me/edit')
    await send({ type: 'user.changed', user: userOf() })
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

  test('a second factor that is required comes after the password, and the destination waits for both', async () => {
    const { answers, send, go, where } = startConsole('/help?topic=keys', { user: unauthorized })
    await settle()
    answers.user = () => ok(userOf({ isTotpRequired: true, mustChangePassword: true }))
    await send({ type: 'session.opened', mustChangePassword: true })
    expect(where()).toBe('/profile/me/edit')
    answers.user = () => ok(userOf({ isTotpRequired: true }))
    await send({ type: 'user.changed', user: userOf({ isTotpRequired: true }) })
    expect(where()).toBe('/profile/me/edit')
    await send({ type: 'password.changed' })
    expect(where()).toBe('/profile/me/info')
    await go('/streams')
    expect(where()).toBe('/profile/me/info')
    await send({ type: 'wire.unauthorized' })
    await send({ type: 'session.opened', mustChangePassword: false })
    expect(where()).toBe('/profile/me/info')
    await send({ type: 'user.changed', user: userOf({ isTotpRequired: true, hasTotp: true }) })
    expect(where()).toBe('/profile/me/info')
    await send({ type: 'factor.added' })
    expect(where()).toBe('/help?topic=keys')
    await go('/streams')
    expect(where()).toBe('/streams')
  })

  test('a failed request for the user shows a toast, and the page stays', async () => {
    const { answers, send, where, toasts, context } = startConsole('/auth', { user: unauthorized })
    await settle()
    answers.user = () => refused(500, 'InternalServerError')
    await send({ type: 'session.opened', mustChangePassword: true })
    expect({ where: where(), toasts: toasts() }).toEqual({ where: '/auth', toasts: ['InternalServerError'] })
    answers.user = unauthorized
    await send(signIn)
    expect({ toasts: toasts(), user: context().user }).toEqual({ toasts: [], user: null })
  })

  test("signing in during the first request for the user isn't lost", async () => {
    const { answers, clock, send, where } = startConsole('/auth', {
      settings: () => refused(0, 'NoResponse'),
      health: () => refused(0, 'NoResponse'),
    })
    await settle()
    answers.settings = () => ok(settingsOf())
    answers.health = () => ok(healthOf())
    answers.user = never
    clock.increment(60_000)
    await settle()
    answers.user = () => ok(userOf())
    await send(signIn)
    expect(where()).toBe('/streams')
  })
})

describe('a later 401 (docs/behaviour.md §3)', () => {
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
        'help started for ann',
        'help stopped',
        'streamViewgate started for ann',
        'streamView stopped',
        'auth started for nobody',
        'auth stopped',
        'streamViewgate started for rob',
      ],
    })
  })

  test('on a page that is not worth coming back to keeps what was stored', async () => {
    const { go, send, context, where } = startConsole('/help')
    await settle()
    await go('/nowhere')
    await send({ type: 'wire.unauthorized' })
    expect({ destination: context().destination?.name, where: where() }).toEqual({
      destination: 'help',
      where: '/nowhere',
    })
  })
})

describe('signing out (docs/behaviour.md §11)', () => {
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

  test('of a user who came by a share link leaves its page', async () => {
    const { send, where } = startConsole('/stream/gate/view', {}, { isShared: true })
    await settle()
    await send({ type: 'session.closeRequested' })
    expect(where()).toBe('/auth')
  })

  test('that is refused keeps the user and shows a toast', async () => {
    const { send, where, context, toasts, pages } = startConsole('/help', {
      signOut: () => refused(503, 'Unavailable'),
    })
    await settle()
    await send({ type: 'session.closeRequested' })
    expect({ where: where(), user: context().user?.name, toasts: toasts(), pages }).toEqual({
      where: '/help',
      user: 'ann',
      toasts: ['Unavailable'],
      pages: ['help started for ann'],
    })
  })

  test('that throws keeps the user and shows a toast', async () => {
    const { send, context, toasts } = startConsole('/help', { signOut: () => Promise.reject(new Error('broken')) })
    await settle()
    await send({ type: 'session.closeRequested' })
    expect({ user: context().user?.name, toasts: toasts() }).toEqual({ user: 'ann', toasts: [''] })
  })

  test('of a session that has ended already succeeds all the same', async () => {
    const { send, where, context, toasts } = startConsole('/help', { signOut: never })
    await settle()
    await send({ type: 'session.closeRequested' })
    await send({ type: 'wire.unauthorized' })
    expect({ where: where(), destination: context().destination, toasts: toasts() }).toEqual({
      where: '/auth',
      destination: null,
      toasts: [],
    })
  })
})

describe('a locked server (docs/behaviour.md §2)', () => {
  const locked = () => ok(settingsOf({ isLocked: true }))

  test.each([
    ['the settings say so', { settings: locked, user: unauthorized }],
    ['the settings answer 423', { settings: () => refused(423, '') }],
    ['the user answers 423', { user: () => refused(423, '') }],
  ])('leads to init where %s, without a toast', async (_, world) => {
    const { where, toasts, pages } = startConsole('/streams', world)
    await settle()
    expect({ where: where(), toasts: toasts(), pages }).toEqual({
      where: '/init',
      toasts: [],
      pages: ['init started for nobody'],
    })
  })

  test.each(['/auth', '/not-found', '/administration', '/recover-password'])(
    'leads to init from %s too',
    async (href) => {
      const { where } = startConsole(href, { settings: locked })
      await settle()
      expect(where()).toBe('/init')
    },
  )

  test('a 423 from any call locks the console, whatever the settings say', async () => {
    const { send, go, where, context } = startConsole('/help')
    await settle()
    await send({ type: 'wire.locked' })
    expect({ where: where(), user: context().user }).toEqual({ where: '/init', user: null })
    await go('/streams')
    await send({ type: 'settings.outdated' })
    expect({ where: where(), isLocked: context().isLocked }).toEqual({ where: '/init', isLocked: true })
  })

  test('a lock known from the settings alone ends with the next settings', async () => {
    const { answers, send, where, context } = startConsole('/help', { settings: locked, user: unauthorized })
    await settle()
    expect(where()).toBe('/init')
    answers.settings = () => ok(settingsOf())
    await send({ type: 'settings.outdated' })
    expect({ where: where(), isLocked: context().isLocked }).toEqual({ where: '/auth', isLocked: false })
  })

  test.each([
    ['the settings', { settings: () => refused(423, ''), user: unauthorized }],
    ['the user', { user: () => refused(423, '') }],
  ])('a 423 to %s at the start is lifted by no settings either', async (_, world) => {
    const { answers, send, where } = startConsole('/help', world)
    await settle()
    answers.settings = () => ok(settingsOf())
    await send({ type: 'settings.outdated' })
    expect(where()).toBe('/init')
    await send({ type: 'server.initialized' })
    expect(where()).toBe('/auth')
  })

  test("a request for the user in progress doesn't end it", async () => {
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

  test('server initialization signs in and leads to the streams', async () => {
    const { answers, send, where, context } = startConsole('/streams', {
      settings: locked,
      user: () => refused(423, ''),
    })
    await settle()
    answers.settings = () => ok(settingsOf())
    await send({ type: 'session.started', user: userOf() })
    expect({ where: where(), user: context().user?.name, isLocked: context().isLocked }).toEqual({
      where: '/streams',
      user: 'ann',
      isLocked: false,
    })
  })

  test('settings that still have the lock after server initialization are ignored, until the next 423', async () => {
    const { send, go, where, context } = startConsole('/streams', { settings: locked, user: unauthorized })
    await settle()
    expect(where()).toBe('/init')
    await send({ type: 'session.started', user: userOf() })
    await send({ type: 'settings.outdated' })
    await go('/help')
    expect({ where: where(), isLocked: context().isLocked }).toEqual({ where: '/help', isLocked: false })
    await send({ type: 'wire.locked' })
    expect({ where: where(), isLocked: context().isLocked }).toEqual({ where: '/init', isLocked: true })
  })

  test('a server that was initialized meanwhile leads to sign-in', async () => {
    const { answers, send, where } = startConsole('/streams', { settings: locked, user: () => refused(423, '') })
    await settle()
    answers.settings = () => ok(settingsOf())
    await send({ type: 'server.initialized' })
    expect(where()).toBe('/auth')
  })

  test('a sign-out in progress ends with the lock, without a toast', async () => {
    const { answers, send, where, toasts } = startConsole('/help')
    await settle()
    answers.signOut = async () => refused(423, '')
    await send({ type: 'session.closeRequested' })
    await send({ type: 'wire.locked' })
    expect({ where: where(), toasts: toasts() }).toEqual({ where: '/init', toasts: [] })
  })
})

test('another tab that signs in as another user has the console load again', async () => {
  const { answers, send, reloads, context } = startConsole('/streams', {}, { mustChangePassword: true })
  await settle()
  const isReloaded = async (login: string) => {
    const before = reloads.count
    await send({ type: 'session.replaced', login })
    return reloads.count > before
  }
  expect(await isReloaded('ann')).toBe(false)
  expect(context().mustChangePassword).toBe(true)
  expect(await isReloaded('rob')).toBe(true)
  expect(context().mustChangePassword).toBe(false)
  answers.user = unauthorized
  await send({ type: 'wire.unauthorized' })
  expect(await isReloaded('rob')).toBe(false)
})

test('what a page changes of the user leaves the rest as it is, as the menu may have chosen another language', async () => {
  const { send, context } = startConsole('/profile/me/edit')
  await settle()
  await send({ type: 'language.chosen', language: 'ru' })
  await send({ type: 'user.patched', changes: { fullName: 'Ann O' } })
  expect(context().user).toMatchObject({ name: 'ann', fullName: 'Ann O', language: 'ru' })
})
