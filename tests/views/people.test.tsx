// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { describe } from 'vitest'
import { admin, notFound, settings, signedOut } from '../fixtures/fake-server.ts'
import {
  at,
  bodyOf,
  descriptionOf,
  enter,
  expect,
  field,
  fill,
  focused,
  holds,
  isDisabled,
  notifications,
  part,
  press,
  test,
  textsOf,
  toast,
  until,
} from './console.tsx'

describe('recovery', () => {
  test('names the address that no user has, and keeps what was typed', async ({ server, visit }) => {
    server.answer('GET /v1/user', signedOut)
    server.answer('POST /v1/password/send-reset', notFound)
    await visit('/ui/recover-password')
    await fill('Email', 'nobody@example.org')
    await press('button', 'Send code')
    await toast('User with email nobody@example.org has not found')
    await holds('Email', 'nobody@example.org')
    expect(isDisabled(screen.getByRole('button', { name: 'Send code' }))).toBe(false)
  })

  test('describes the button of the code only while one has to wait', async ({ server, visit }) => {
    server.answer('GET /v1/user', signedOut)
    server.answer('POST /v1/password/send-reset', { status: 429, headers: { 'retry-after': '60' } })
    await visit('/ui/recover-password')
    const button = await screen.findByRole('button', { name: 'Send code' })
    expect(descriptionOf(button)).toBe('')
    await fill('Email', 'ann@example.org')
    await press('button', 'Send code')
    await until(() => expect(descriptionOf(button)).toMatch(/^You can request another code in \d+ s\.$/))
  })

  test('leads to the first field that is missing', async ({ server, visit }) => {
    server.answer('GET /v1/user', signedOut)
    await visit('/ui/recover-password')
    await fill('Email', 'ann@example.org')
    await press('button', 'Change password')
    await focused(await field('Code'))
  })
})

describe('profile', () => {
  test('saves only what changed, speaks the chosen language at once and knows who one is now', async ({
    server,
    visit,
  }) => {
    let user = admin
    server.answer('GET /v1/user', () => ({ json: user }))
    server.answer('PATCH /v1/user', (request) => {
      user = { ...user, ...request.postDataJSON() }
      return {}
    })
    await visit('/ui/profile/me/edit')
    await fill('Full name', 'Ann Other')
    await fill('Language', 'ru')
    enter(await field('Full name'))
    await screen.findByRole('button', { name: 'Сохранить' })
    expect(bodyOf(server, 'PATCH /v1/user')).toEqual({ fullName: 'Ann Other', language: 'ru' })
    await press('link', 'Сведения')
    await screen.findByRole('heading', { name: 'Ann Other' })
  })

  test('puts a wrong old password beside its field and not into a toast', async ({ server, visit }) => {
    server.answer('PATCH /v1/user', { status: 400, json: { code: 'InvalidOldPassword' } })
    await visit('/ui/profile/me/edit')
    await fill('New password', 'new')
    await press('button', 'Save')
    await focused(await field('Old password'))
    expect(server.count('PATCH /v1/user')).toBe(0)
    await fill('Old password', 'wrong')
    await press('button', 'Save')
    await until(async () => expect(descriptionOf(await field('Old password'))).toBe('Invalid old password'))
    expect(screen.getByRole('region', { name: 'Notifications' }).textContent).toBe('')
    await holds('New password', 'new')
    expect(bodyOf(server, 'PATCH /v1/user')).toEqual({ password: 'new', oldPassword: 'wrong' })
  })

  test('leaves it to the server how long an old password may be', async ({ server, visit }) => {
    server.answer('PATCH /v1/user', { status: 400, json: { code: 'InvalidOldPassword' } })
    await visit('/ui/profile/me/edit')
    await fill('New password', 'new')
    await fill('Old password', 'x'.repeat(1025))
    await press('button', 'Save')
    await until(async () => expect(descriptionOf(await field('Old password'))).toBe('Invalid old password'))
  })

  test('a password that must be changed leads on to where one was going', async ({ server, visit }) => {
    let isIn = false
    server.answer('GET /v1/user', () => (isIn ? { json: admin } : signedOut))
    server.answer('POST /v1/sign-in', () => {
      isIn = true
      return { json: { mustChangePassword: true } }
    })
    server.answer('PATCH /v1/user', {})
    await visit('/ui/help?topic=keys')
    await fill('Login', 'ann')
    await fill('Password', 'given')
    await press('button', 'Sign in')
    await screen.findByText(/Your password was set by somebody else\./)
    await fill('Old password', 'given')
    await fill('New password', 'own')
    await press('button', 'Save')
    await at('/ui/help?topic=keys')
    await toast('Profile has been updated')
  })

  test('a managed user edits neither login, email nor password, but the rest', async ({ server, visit }) => {
    server.answer('GET /v1/user', { json: { ...admin, isManaged: true } })
    await visit('/ui/profile/me/edit')
    await screen.findByText(/come from another system/)
    for (const name of ['Email', 'Old password', 'New password']) expect(isDisabled(await field(name))).toBe(true)
    for (const name of ['Full name', 'Language']) expect(isDisabled(await field(name))).toBe(false)
  })
})

describe('two-factor authentication', () => {
  const offered = { json: { ...settings, features: ['totp'] } }

  test('is turned on by password and code, with the recovery codes shown once, and off', async ({ server, visit }) => {
    server.answer('GET /v1/system/internal/ui/settings', offered)
    server.answer('POST /v1/user/totp', {
      json: { secret: 'JBSWY3DPEHPK3PXP', url: 'otpauth://totp/Sightline:ann?secret=JBSWY3DPEHPK3PXP' },
    })
    server.answer('POST /v1/user/totp/confirm', { json: { recoveryCodes: ['0123456789', 'abcd-efgh'] } })
    server.answer('DELETE /v1/user/totp', {})
    await visit('/ui/profile/me')
    const section = await part('region', 'Two-factor authentication')
    section.getByText('Off')
    await press('button', 'Turn on', section)
    await focused(await field('Password'))
    await fill('Password', 'correct horse')
    await press('button', 'Continue', section)
    await section.findByRole('img', { name: 'QR code' })
    section.getByText('JBSW Y3DP EHPK 3PXP')
    await fill('Code', ' 123456')
    await press('button', 'Turn on', section)
    const codes = await part('group', 'Recovery codes')
    expect(codes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['01234-56789', 'abcd-efgh'])
    section.getByText('On')
    await press('button', 'I have saved them', section)
    expect(section.queryByText('01234-56789')).toBeNull()
    await press('button', 'Turn off', section)
    await fill('Password', 'correct horse')
    await press('button', 'Turn off', section)
    await section.findByText('Off')
    expect([
      bodyOf(server, 'POST /v1/user/totp'),
      bodyOf(server, 'POST /v1/user/totp/confirm'),
      bodyOf(server, 'DELETE /v1/user/totp'),
    ]).toEqual([{ password: 'correct horse' }, { code: '123456' }, { password: 'correct horse' }])
  })

  test('that is on says how many recovery codes are left', async ({ server, visit }) => {
    server.answer('GET /v1/user', { json: { ...admin, hasTotp: true, recoveryCodesLeft: 3 } })
    await visit('/ui/profile/me')
    const section = await part('region', 'Two-factor authentication')
    section.getByText(/3 recovery codes are left\./)
    server.answer('GET /v1/user', { json: { ...admin, hasTotp: true, recoveryCodesLeft: 0 } })
    await visit('/ui/profile/me')
    await screen.findByText(/No recovery codes are left/)
  })

  test('is absent where the server does not have it', async ({ visit }) => {
    await visit('/ui/profile/me')
    await screen.findByText('Streams you may add')
    expect(screen.queryByRole('region', { name: 'Two-factor authentication' })).toBeNull()
  })
})

test('an error is read out and closed over an open dialog', async ({ server, visit }) => {
  server.answer('POST /v1/token', { status: 500, json: { code: 'InternalServerError' } })
  await visit('/ui/profile/me/tokens')
  await press('button', 'Create token')
  const dialog = await part('dialog', 'Create token')
  await fill('Name', 'backup', dialog)
  await press('button', 'Create', dialog)
  const region = await notifications()
  await region.findByRole('alert')
  const around = screen.getByRole('region', { name: 'Notifications' }).closest('[inert], [aria-hidden=true]')
  expect(around).toBeNull()
  await press('button', 'Close notification', region)
  await until(() => expect(region.queryByRole('alert')).toBeNull())
  await holds('Name', 'backup')
})

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

test('sessions are listed newest first, in words, and ended when asked twice', async ({ server, visit }) => {
  let items = [
    { id: 's1', lastSeenTime: '2026-11-01T08:00:00.000Z', userAgent: phone, ip: '192.168.1.5', isCurrent: false },
    { id: 's2', lastSeenTime: '2026-11-21T08:00:00.000Z', userAgent: chrome, ip: '203.0.113.7', isCurrent: true },
    { id: 's3', lastSeenTime: '2026-11-11T08:00:00.000Z', userAgent: 'curl/8.5.0', ip: '127.0.0.1', isCurrent: false },
  ]
  server.answer('GET /v1/sessions', () => ({ json: { items } }))
  server.answer('DELETE /v1/session/s1', () => {
    items = items.filter(({ id }) => id !== 's1')
    return {}
  })
  server.answer('POST /v1/sessions/terminate', () => {
    items = items.filter(({ isCurrent }) => isCurrent)
    return {}
  })
  await visit('/ui/profile/me/sessions')
  const list = async () => (await part('list', 'Sessions')).findAllByRole('listitem')
  expect(textsOf(await list())).toEqual([
    expect.stringMatching(/Chrome 142 on Windows ?This session203\.0\.113\.7/),
    expect.stringMatching(/curl.*the server itself/),
    expect.stringMatching(/Safari 18 on iOS.*local network/),
  ])
  await press('button', 'End Safari 18 on iOS')
  await press('button', 'End session', await part('alertdialog'))
  await until(async () => expect(await list()).toHaveLength(2))
  await toast('The session has ended')
  await press('button', 'End all others')
  await press('button', 'End all others', await part('alertdialog'))
  await until(async () => expect(await list()).toHaveLength(1))
  await screen.findByText('1 session')
  await toast('The other sessions have ended')
})

test('a session whose address is unknown is named so in the question, too', async ({ server, visit }) => {
  server.answer('GET /v1/sessions', { json: { items: [{ id: 's1' }] } })
  await visit('/ui/profile/me/sessions')
  await press('button', /^End (?!all)/)
  const question = await part('alertdialog')
  question.getByText(/^Unknown device, unknown address is signed out/)
})

test('asks for a name before it asks the server', async ({ server, visit }) => {
  server.answer('GET /v1/tokens', { json: { items: [] } })
  await visit('/ui/profile/me/tokens')
  await screen.findByText(/No tokens yet/)
  await press('button', 'Create token')
  await focused(await field('Name'))
  enter(await field('Name'))
  await until(async () => expect(descriptionOf(await field('Name'))).toMatch(/Fill this in/))
  await focused(await field('Name'))
  expect(server.count('POST /v1/token')).toBe(0)
})
