// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react'
import { beforeEach, describe } from 'vitest'
import { type FakeServer, admin, bob, notFound, settings } from '../fixtures/fake-server.ts'
import {
  at,
  bodyOf,
  descriptionOf,
  expect,
  field,
  fill,
  focused,
  holds,
  isDisabled,
  part,
  press,
  test,
  textsOf,
  titled,
  toast,
  until,
} from './console.tsx'

beforeEach<{ server: FakeServer }>(({ server }) => server.answer('GET /v1/user/bob', { json: bob }))

describe('users', () => {
  test('are searched, sorted and counted', async ({ server, visit }) => {
    server.answer('GET /v1/users', { json: { items: [bob, { ...admin, isBlocked: true }] } })
    await visit('/ui/administration/users')
    await titled('Users')
    await screen.findByText('2 users')
    const rows = () => {
      const [, body] = within(screen.getByRole('table', { name: 'Users' })).getAllByRole('rowgroup')
      return textsOf(body === undefined ? [] : within(body).getAllByRole('row'))
    }
    const matching = (...patterns: RegExp[]) =>
      until(() => expect(rows()).toEqual(patterns.map((pattern) => expect.stringMatching(pattern))))
    await matching(/^ann.*Administrator.*Blocked/, /^bob.*User.*Active/)
    await press('button', 'Login')
    await matching(/^bob/, /^ann/)
    await fill('Search users', 'RAY')
    await matching(/^bob/)
    await screen.findByText('1 of 2 users')
    await press('link', 'bob')
    await at('/ui/user/bob/info')
  })

  test('a new one keeps what was typed when the login is taken', async ({ server, visit }) => {
    let isTaken = true
    server.answer('POST /v1/user', () => (isTaken ? { status: 409, json: { code: 'AlreadyUsed' } } : {}))
    await visit('/ui/user/add')
    await fill('Login', 'bob')
    await fill('Password', 'p')
    await fill('Max streams', '3')
    await press('button', 'Add')
    await until(async () => expect(descriptionOf(await field('Login'))).toBe('Already used'))
    await focused(await field('Login'))
    await holds('Password', 'p')
    isTaken = false
    await press('button', 'Add')
    await at('/ui/user/bob/info')
    await toast('The user has been added')
    expect(bodyOf(server, 'POST /v1/user')).toEqual({
      name: 'bob',
      fullName: '',
      email: '',
      password: 'p',
      language: '',
      permissionType: 'user',
      maxStreamCreation: 3,
    })
  })

  test('are blocked, unblocked and deleted, and the last administrator stays', async ({ server, visit }) => {
    let isBlocked = false
    server.answer('GET /v1/user/bob', () => ({ json: { ...bob, isBlocked } }))
    server.answer('GET /v1/users', { json: { items: [admin] } })
    server.answer('POST /v1/user/bob/block', () => {
      isBlocked = true
      return {}
    })
    server.answer('POST /v1/user/bob/unblock', () => {
      isBlocked = false
      return {}
    })
    let isLast = true
    server.answer('DELETE /v1/user/bob', () => (isLast ? { status: 409, json: { code: 'ActionNotAcceptable' } } : {}))
    await visit('/ui/user/bob')
    await press('button', 'Block')
    await press('button', 'Block', await part('alertdialog', 'Block bob?'))
    await screen.findByText('Blocked')
    await toast('The user has been blocked')
    await press('button', 'Unblock')
    await screen.findByText('Active')
    await toast('The user may sign in again')
    await press('button', 'Delete')
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete bob?' })
    expect(dialog.textContent).toContain('sessions, tokens and permissions')
    await press('button', 'Delete', within(dialog))
    await toast("The last administrator can't be removed, blocked or made an ordinary user")
    isLast = false
    await press('button', 'Delete')
    await press('button', 'Delete', await part('alertdialog'))
    await at('/ui/administration/users')
    await toast('The user has been deleted')
  })

  test("can't be changed while they are fetched again", async ({ server, visit }) => {
    server.answer('GET /v1/user/bob', { json: { ...bob, isBlocked: true } })
    server.answer('POST /v1/user/bob/unblock', {})
    await visit('/ui/user/bob')
    const remove = await screen.findByRole<HTMLButtonElement>('button', { name: 'Delete' })
    server.answer('GET /v1/user/bob', { status: 500, json: { code: 'InternalServerError' } })
    await press('button', 'Unblock')
    await screen.findByRole('button', { name: 'Retry' })
    expect(remove.disabled || remove.getAttribute('aria-disabled') === 'true').toBe(true)
  })

  test('being blocked leaves the focus on the button, while they are fetched again and after it', async ({
    server,
    visit,
  }) => {
    server.answer('POST /v1/user/bob/block', {})
    await visit('/ui/user/bob')
    const block = await screen.findByRole<HTMLButtonElement>('button', { name: 'Block' })
    const held = Promise.withResolvers<void>()
    act(() => block.focus())
    await press('button', 'Block')
    const dialog = await screen.findByRole('alertdialog', { name: 'Block bob?' })
    await focused(dialog)
    server.answer('GET /v1/user/bob', async () => {
      await held.promise
      return { json: { ...bob, isBlocked: true } }
    })
    await press('button', 'Block', within(dialog))
    await focused(block)
    expect(isDisabled(block)).toBe(true)
    held.resolve()
    await until(() => expect(block.textContent).toBe('Unblock'))
    expect(document.activeElement).toBe(block)
  })

  test('lose their API tokens with being blocked, where the server revokes them', async ({ server, visit }) => {
    const asked = async () => {
      await visit('/ui/user/bob/info')
      await press('button', 'Block')
      return (await screen.findByRole('alertdialog', { name: 'Block bob?' })).textContent
    }
    expect(await asked()).toContain('the tokens stop working')
    server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['token-revocation'] } })
    expect(await asked()).toContain('the API tokens are revoked permanently')
  })

  test('whose phone is lost has two-factor authentication turned off, where it is on', async ({ server, visit }) => {
    server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['totp'] } })
    let hasTotp: boolean | undefined
    server.answer('GET /v1/user/bob', () => ({ json: { ...bob, hasTotp } }))
    server.answer('DELETE /v1/user/bob/totp', () => {
      hasTotp = undefined
      return {}
    })
    await visit('/ui/user/bob/info')
    await screen.findByText('Two-factor authentication')
    expect(screen.queryByRole('button', { name: 'Turn off two-factor authentication' })).toBeNull()
    hasTotp = true
    await visit('/ui/user/bob/info')
    await press('button', 'Turn off two-factor authentication')
    const dialog = await part('alertdialog', 'Turn off two-factor authentication of bob?')
    await press('button', 'Turn off', dialog)
    await until(() => expect(screen.queryByRole('button', { name: 'Turn off two-factor authentication' })).toBeNull())
    expect(server.count('DELETE /v1/user/bob/totp')).toBe(1)
  })

  test('whose phone is lost has a passkey removed, after a question', async ({ server, visit }) => {
    server.answer('GET /v1/user/bob', { json: bob })
    await visit('/ui/user/bob/info')
    await screen.findByRole('button', { name: 'Block' })
    expect(server.count('GET /v1/user/bob/passkeys')).toBe(0)
    server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['user-passkeys'] } })
    const createTime = '2026-11-20T08:00:00.000Z'
    const phone = { id: 'k1', name: 'Phone', host: 'localhost', createTime, lastUsedTime: null }
    server.answer('GET /v1/user/bob/passkeys', { json: { items: [phone] } })
    server.answer('DELETE /v1/user/bob/passkey/k1', {})
    await visit('/ui/user/bob/info')
    const list = await part('region', 'Passkeys')
    expect(list.queryByRole('button', { name: 'Rename Phone' })).toBeNull()
    await press('button', 'Remove Phone', list)
    await press('button', 'Remove', await part('alertdialog', 'Remove the passkey Phone of bob?'))
    await list.findByText('This user signs in without passkeys.')
    expect(server.count('DELETE /v1/user/bob/passkey/k1')).toBe(1)
  })

  test('one who does not exist leads to not found', async ({ server, visit }) => {
    for (const part of ['', '/permissions', '/sessions']) server.answer(`GET /v1/user/nobody${part}`, notFound)
    for (const path of ['info', 'edit', 'permission', 'sessions']) {
      await visit(`/ui/user/nobody/${path}`)
      await titled('Page not found')
    }
  })

  test('only what changed is saved, and a changed login is followed', async ({ server, visit }) => {
    server.answer('GET /v1/user/robert', { json: { ...bob, name: 'robert' } })
    server.answer('PATCH /v1/user/bob', {})
    await visit('/ui/user/bob/edit')
    await fill('Login', 'robert')
    await fill('Role', 'admin')
    await press('button', 'Save')
    await at('/ui/user/robert/edit')
    await toast('The user has been saved')
    expect(bodyOf(server, 'PATCH /v1/user/bob')).toEqual({ name: 'robert', permissionType: 'admin' })
  })
})

test('streams of an earlier search cannot be selected all at once, and earlier selections stay', async ({
  server,
  visit,
}) => {
  const streams = ['Lobby', 'Loading dock', 'Gate'].map((name) => ({ uid: name.slice(0, 3), name }))
  const held = Promise.withResolvers<void>()
  server.answer('GET /v1/streams', async (request) => {
    const [searched = ''] = new URL(request.url()).searchParams.getAll('searchingValues')
    if (searched === 'lo') await held.promise
    const items = streams.filter(({ name }) => name.toLowerCase().includes(searched))
    return { json: { items, page: 1, pageSize: 50, total: items.length } }
  })
  server.answer('GET /v1/user/bob/permissions', { json: { permissions: [] } })
  await visit('/ui/user/bob/permission')
  await press('checkbox', 'Select Gate')
  await fill('Search streams', 'lo')
  const all = () => screen.findByRole('checkbox', { name: 'Select all' })
  await until(async () => expect(isDisabled(await all())).toBe(true))
  held.resolve()
  await until(() => expect(screen.queryByText('Gate')).toBeNull())
  await press('checkbox', 'Select all')
  await screen.findByText('3 streams selected')
  await press('checkbox', 'Select all')
  await screen.findByText('1 stream selected')
})

test('“Only granted” without any says so, and not that there are no streams', async ({ server, visit }) => {
  server.answer('GET /v1/user/bob/permissions', { json: { permissions: [] } })
  await visit('/ui/user/bob/permission')
  await screen.findByText('There are no streams to grant access to.')
  await press('button', 'Only granted')
  await screen.findByText('No permissions are granted here. Turn off “Only granted” to see all streams.')
  await fill('Search streams', 'gate')
  await screen.findByText('No stream with permissions contains this in its name.')
})
