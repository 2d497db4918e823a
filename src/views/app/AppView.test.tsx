// @vitest-environment jsdom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { never, unauthorized } from '../../../tests/machines/console.ts'
import { openScreen } from '../../../tests/views/screen.tsx'
import { healthOf, ok, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { titles as listed } from '../../../tests/specification/screens.ts'
import { i18n } from '../../i18n/i18n.ts'
import { titles as words } from '../../i18n/titles.ts'
import { routeNames, pathTo, routeOf, routes } from '../../machines/app/routes.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the screen', () => {
  test('says what it waits for until it is known who is here', async () => {
    const { container, getByRole } = await openScreen('/help', { world: { settings: never } })
    expect(container.textContent).toBe('Waiting for the server…')
    expect(getByRole('status').textContent).toBe('Waiting for the server…')
  })

  test('says that it is busy while the code of a page comes', async () => {
    const { getByRole, container } = await openScreen('/help', { world: { page: never } })
    expect(getByRole('main')).toBeDefined()
    expect(container.querySelectorAll('[aria-busy="true"]').length).toBe(1)
  })

  test.each([
    ['/auth', 'the page auth'],
    ['/recover-password', 'the page recoverPassword'],
  ])('shows %s', async (href, words) => {
    const { getByText } = await openScreen(href, { world: { user: unauthorized } })
    expect(getByText(words)).toBeDefined()
  })

  test('shows who may not enter', async () => {
    const { getByRole, inside } = await openScreen('/administration/stats', {
      world: { user: () => ok(userOf({ isAdmin: false })) },
    })
    expect(getByRole('heading', { name: "You don't have access" })).toBeDefined()
    expect(inside('main').getByRole('link', { name: 'All streams' }).getAttribute('href')).toBe('/ui/streams')
    expect(document.title).toBe('Statistics')
  })

  test('shows what is not there, and the way back', async () => {
    const { getByRole, inside } = await openScreen('/nowhere')
    expect(getByRole('heading', { name: 'Page not found' })).toBeDefined()
    expect(inside('main').getByRole('link', { name: 'Go to all streams' }).getAttribute('href')).toBe('/ui/')
    expect(document.title).toBe('Page not found')
  })

  test('a page of a feature that the server lacks is titled as not found', async () => {
    const { getByRole } = await openScreen('/stream/gate/masks')
    expect(getByRole('heading', { name: 'Page not found' })).toBeDefined()
    expect(document.title).toBe('Page not found')
  })

  test('a page whose code can not be had is tried again', async () => {
    const { answers, getByRole, getByText } = await openScreen('/help', {
      world: { page: () => Promise.reject(new Error('gone')) },
    })
    expect(getByRole('heading', { name: 'This page could not be loaded' })).toBeDefined()
    answers.page = () => null
    await act(async () => {
      fireEvent.click(getByRole('button', { name: 'Retry' }))
      await settle()
    })
    expect(getByText('the page help')).toBeDefined()
  })

  test('a page whose code is gone since an update of the server has the console loaded again there', async () => {
    const { answers, getByRole, go, reloads, where } = await openScreen('/help')
    answers.page = () => Promise.reject(new Error('gone'))
    answers.health = () => ok({ ...healthOf(), version: '4.3' })
    await go('/bookmarks')
    fireEvent.click(getByRole('button', { name: 'Retry' }))
    expect({ reloads: reloads.count, where: where() }).toEqual({ reloads: 1, where: '/bookmarks' })
  })

  test('a view that throws leaves the rest in place, and is tried again', async () => {
    vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined)
    const fault = { is: true }
    const Fragile = () => {
      if (fault.is) throw new Error('a fault of the view')
      return <p>whole again</p>
    }
    const { getByRole, getByText, go, queryByRole } = await openScreen('/help', {
      view: (name) => (name === 'help' ? Fragile : () => <p>{name}</p>),
    })
    expect(getByRole('banner')).toBeDefined()
    expect(getByRole('heading', { name: 'This page could not be loaded' })).toBeDefined()
    await go('/bookmarks')
    expect(queryByRole('heading', { name: 'This page could not be loaded' })).toBeNull()
    await go('/help')
    fault.is = false
    await act(async () => {
      fireEvent.click(getByRole('button', { name: 'Retry' }))
      await settle()
    })
    expect(getByText('whole again')).toBeDefined()
  })
})

test('the document is titled by the page, as the specification lists them', async () => {
  const features = routeNames.flatMap((name) => routeOf(name).feature ?? [])
  const { go } = await openScreen('/help', { world: { settings: () => ok(settingsOf({ features })) } })
  const titles: Record<string, string> = {}
  const params = { uid: 'gate', login: 'rob', id: '7' }
  for (const name of routeNames.filter(
    (route) => routeOf(route).redirect === undefined && !['auth', 'init'].includes(route),
  )) {
    await go(pathTo(name, params))
    titles[name] = document.title
  }
  expect(titles).toEqual({
    streams: 'Streams',
    mosaics: 'Mosaics',
    events: 'Events',
    alerts: 'Alerts',
    groups: 'Groups',
    group: 'Group',
    exports: 'Exports',
    recoverPassword: 'Recover password',
    profileInfo: 'My profile',
    profileEdit: 'My profile',
    tokens: 'My tokens',
    sessions: 'Sessions',
    userAdd: 'Add user',
    userInfo: 'User',
    userEdit: 'Edit user',
    userPermission: 'User permission',
    userSessions: 'Sessions',
    streamView: 'Stream gate',
    streamInfo: 'Stream info gate',
    streamSettings: 'Stream settings gate',
    streamMasks: 'Privacy masks gate',
    streamPermissions: 'Stream permissions gate',
    streamDebug: 'Stream debug gate',
    addStream: 'Add stream',
    createMosaic: 'Create mosaic',
    mosaic: 'Mosaic',
    mosaicEdit: 'Edit mosaic',
    plans: 'Floor plans',
    plan: 'Floor plan',
    planEdit: 'Edit floor plan',
    statistics: 'Statistics',
    configuration: 'Configuration',
    users: 'Users',
    cluster: 'Cluster',
    license: 'License',
    serverDebug: 'Server debug',
    tunnel: 'Tunnel',
    auditLogs: 'Audit logs',
    bookmarks: 'Bookmarks',
    help: 'Help',
    swagger: 'API documentation',
    notFound: 'Page not found',
  })
  await openScreen('/auth', { world: { user: unauthorized } })
  expect(document.title).toBe('Authorization')
  const { send } = await openScreen('/help')
  await send({ type: 'wire.locked' })
  expect(document.title).toBe('Server initialization')
  const expected = [
    ...Object.values(titles).map((title) => title.replace(/ gate$/, '')),
    'Authorization',
    'Server initialization',
    i18n._(words[routes.administration.title]),
  ]
  expect(listed.filter((title) => !expected.includes(title))).toEqual([])
})
