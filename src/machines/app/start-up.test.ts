import { describe, expect, test } from 'vitest'
import { configurationOf, healthOf, ok, refused, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { never, startConsole, unauthorized } from '../../../tests/machines/console.ts'
import { settle } from '../../../tests/machines/settle.ts'

const reader = userOf({ name: 'rob', isAdmin: false, maxStreamCreation: 0 })

describe('start-up (docs/behaviour.md §2)', () => {
  test('fetches configuration, then settings, then health beside the user, and starts the page', async () => {
    const { calls, pages, context } = startConsole('/help', {
      configuration: () => ok(configurationOf({ appTitle: 'Yard' })),
    })
    await settle()
    expect(calls.slice(0, 2)).toEqual(['configuration', 'settings'])
    expect(calls.slice(2).toSorted()).toEqual(['health', 'user'])
    expect({ pages, title: context().configuration.appTitle }).toEqual({
      pages: ['help started for ann'],
      title: 'Yard',
    })
  })

  test('settings that fail: signed out, with one toast, and health is polled all the same', async () => {
    const { calls, where, context, toasts } = startConsole('/help', {
      settings: () => refused(0, 'NoResponse'),
      health: () => refused(0, 'NoResponse'),
    })
    await settle()
    expect(calls.slice(0, 3)).toEqual(['configuration', 'settings', 'health'])
    expect({ where: where(), user: context().user, hasSettings: context().hasSettings, toasts: toasts() }).toEqual({
      where: '/auth',
      user: null,
      hasSettings: false,
      toasts: ['NoResponse'],
    })
  })

  test('while the settings fail the user stays signed out, and is fetched as soon as the settings are', async () => {
    const { answers, calls, clock, where, context, toasts } = startConsole('/help?topic=keys', {
      settings: () => refused(500, 'InternalServerError'),
    })
    for (let minute = 0; minute < 3; minute += 1) {
      await settle()
      clock.increment(60_000)
    }
    await settle()
    expect({ where: where(), user: context().user, asked: calls.includes('user'), toasts: toasts() }).toEqual({
      where: '/auth',
      user: null,
      asked: false,
      toasts: ['InternalServerError'],
    })
    answers.settings = () => ok(settingsOf())
    clock.increment(60_000)
    await settle()
    expect({
      where: where(),
      user: context().user?.name,
      toasts: toasts(),
      asked: calls.filter((call) => call === 'user').length,
    }).toEqual({
      where: '/help?topic=keys',
      user: 'ann',
      toasts: [],
      asked: 1,
    })
  })

  test('a server that comes back is asked for settings and user again, and the destination opens', async () => {
    const { answers, clock, where, context, toasts } = startConsole('/help?topic=keys', {
      settings: () => refused(0, 'NoResponse'),
      health: () => refused(0, 'NoResponse'),
    })
    await settle()
    answers.settings = () => ok(settingsOf({ version: '4.2' }))
    answers.health = () => ok(healthOf())
    clock.increment(60_000)
    await settle()
    expect({
      where: where(),
      user: context().user?.name,
      version: context().settings.version,
      toasts: toasts(),
    }).toEqual({
      where: '/help?topic=keys',
      user: 'ann',
      version: '4.2',
      toasts: [],
    })
  })

  test('a kiosk login that comes only with the server is filled in on the open sign-in page', async () => {
    const { answers, clock, pages } = startConsole('/auth', {
      settings: () => refused(0, 'NoResponse'),
      health: () => refused(0, 'NoResponse'),
      user: unauthorized,
    })
    await settle()
    answers.health = () => ok(healthOf())
    answers.settings = () => ok(settingsOf({ kioskPrefillUser: 'wall' }))
    clock.increment(60_000)
    await settle()
    expect(pages).toContain('auth got credentials.prefilled ')
  })

  test.each([
    [refused(500, 'InternalServerError'), ['InternalServerError']],
    [refused(502, ''), ['NoResponse']],
    [refused(200, 'UnreadableReply'), ['UnreadableReply']],
    [refused(404, 'NotFound'), []],
  ])('settings refused with %o are reported as %o', async (reply, codes) => {
    const { toasts } = startConsole('/help', { settings: () => reply, health: never })
    await settle()
    expect(toasts()).toEqual(codes)
  })

  test('a failed request for the user shows a toast, and is repeated when the server answers', async () => {
    const { answers, clock, toasts, where } = startConsole('/help', {
      user: () => refused(500, 'InternalServerError'),
      health: never,
    })
    await settle()
    expect({ toasts: toasts(), where: where() }).toEqual({ toasts: ['InternalServerError'], where: '/auth' })
    answers.user = () => ok(userOf())
    answers.health = () => ok(healthOf())
    clock.increment(60_000)
    await settle()
    expect(where()).toBe('/help')
  })

  test('without any response the sign-in page opens, with a toast', async () => {
    const { clock, where, toasts } = startConsole('/help', { configuration: never, settings: never, health: never })
    for (let step = 0; step < 2; step += 1) {
      clock.increment(10_000)
      await settle()
    }
    expect({ where: where(), toasts: toasts() }).toEqual({ where: '/auth', toasts: ['NoResponse'] })
  })
})

describe('who may enter (docs/behaviour.md §3)', () => {
  test.each(['/auth', '/recover-password', '/not-found', '/nowhere'])(
    'the 401 of the start-up leaves one on %s',
    async (href) => {
      const { steps, where, toasts } = startConsole(href, { user: unauthorized })
      await settle()
      expect({ steps, where: where(), toasts: toasts() }).toEqual({ steps: [], where: href, toasts: [] })
    },
  )

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
    expect({ pages, where: where() }).toEqual({
      pages: ['streamViewgate started for nobody'],
      where: '/stream/gate/view',
    })
    await go('/stream/gate/info')
    expect(where()).toBe('/auth')
  })

  test('a share that was withdrawn stays on its page, which says so, and signing in leads back to it', async () => {
    const { where, send, go, context } = startConsole(
      '/stream/gate/view?at=1',
      { user: unauthorized },
      { isShared: true },
    )
    await settle()
    await send({ type: 'wire.unauthorized' })
    expect(where()).toBe('/stream/gate/view?at=1')
    await go('/auth')
    expect({ where: where(), destination: context().destination }).toEqual({
      where: '/auth',
      destination: { name: 'streamView', params: { uid: 'gate' }, search: '?at=1' },
    })
  })

  test.each(['/administration/stats', '/user/add', '/user/rob/info', '/swagger', '/administration/users'])(
    '%s is forbidden to others than administrators',
    async (href) => {
      const { state, pages, where } = startConsole(href, { user: () => ok(reader) })
      await settle()
      expect({ page: state(), pages, where: where() }).toMatchObject({
        page: { running: { page: 'forbidden' } },
        pages: [],
        where: href,
      })
    },
  )

  test('a required password change comes first, after a reload too, and then the destination opens', async () => {
    const { steps, send, context } = startConsole('/help', { user: () => ok(userOf({ mustChangePassword: true })) })
    await settle()
    expect({ route: context().route.name, steps }).toEqual({ route: 'profileEdit', steps: ['=/profile/me/edit'] })
    await send({ type: 'user.changed', user: userOf() })
    await send({ type: 'password.changed' })
    expect({ route: context().route.name, steps }).toEqual({ route: 'help', steps: ['=/profile/me/edit', '/help'] })
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
