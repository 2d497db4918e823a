// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, vi } from 'vitest'
import { admin, settings, signedOut } from '../fixtures/fake-server.ts'
import { at, bodyOf, expect, field, fill, focused, notifications, part, press, test, toast, until } from './console.tsx'

const offered = { json: { ...settings, features: ['passkeys'] } }
const phone = {
  id: 'k1',
  name: 'Phone',
  host: 'localhost',
  createTime: '2026-11-01T08:00:00.000Z',
  lastUsedTime: '2026-11-20T08:00:00.000Z',
}
const laptop = { ...phone, id: 'k2', name: 'Laptop', lastUsedTime: null }
const creation = {
  rp: { id: 'localhost', name: 'Sightline' },
  user: { id: 'AA', name: 'ann', displayName: 'ann' },
  challenge: 'AQID',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
}
const request = { challenge: 'AQID', rpId: 'localhost', timeout: 300_000, userVerification: 'required' }

const one = Uint8Array.of(1).buffer
const made = {
  id: 'AQ',
  rawId: one,
  type: 'public-key',
  getClientExtensionResults: () => ({}),
  response: {
    clientDataJSON: one,
    attestationObject: one,
    authenticatorData: one,
    signature: one,
    userHandle: one,
    getTransports: () => ['internal'],
  },
}
const create = vi.fn<() => Promise<unknown>>()
const get = vi.fn<() => Promise<unknown>>()

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create, get } })
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'credentials')
  create.mockReset()
  get.mockReset()
})

const section = () => part('region', 'Passkeys')

describe('the profile', () => {
  test('lists passkeys with their last use, renames one and removes one', async ({ server, visit }) => {
    let items = [phone, { ...laptop, host: 'cams.example.org' }]
    server.answer('GET /v1/system/internal/ui/settings', offered)
    server.answer('GET /v1/user/passkeys', () => ({ json: { items } }))
    server.answer('PATCH /v1/user/passkey/k1', {})
    server.answer('DELETE /v1/user/passkey/k1', () => {
      items = items.slice(1)
      return {}
    })
    await visit('/ui/profile/me')
    const passkeys = await section()
    await passkeys.findByText('2 passkeys')
    expect(passkeys.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^PhoneLast used .*Nov 20, 2026, \d\d:\d\d:\d\d/),
      expect.stringMatching(/^LaptopNot used yet, added .*Nov 1, 2026.*Only for the address cams\.example\.org$/),
    ])
    await press('button', 'Rename Phone', passkeys)
    await fill('Name', ' Old phone ')
    await press('button', 'Save', await part('dialog', 'Rename passkey'))
    await passkeys.findByText('Old phone')
    expect(bodyOf(server, 'PATCH /v1/user/passkey/k1')).toEqual({ name: 'Old phone' })
    await press('button', 'Remove Old phone', passkeys)
    await press('button', 'Remove', await part('alertdialog', 'Remove the passkey Old phone?'))
    await passkeys.findByText('1 passkey')
    await toast('Profile has been updated')
  })

  test('adds one after the password, with the browser', async ({ server, visit }) => {
    server.answer('GET /v1/system/internal/ui/settings', offered)
    server.answer('GET /v1/user/passkeys', { json: { items: [] } })
    server.answer('POST /v1/user/passkeys/options', { json: creation })
    server.answer('POST /v1/user/passkeys', { json: laptop })
    create.mockResolvedValue(made)
    await visit('/ui/profile/me')
    const passkeys = await section()
    await passkeys.findByText('No passkeys yet')
    await press('button', 'Add passkey', passkeys)
    await focused(await field('Name'))
    await fill('Name', 'Laptop')
    await fill('Password', 'correct horse')
    await press('button', 'Continue', await part('dialog', 'Add passkey'))
    await passkeys.findByText('1 passkey')
    expect([bodyOf(server, 'POST /v1/user/passkeys/options'), bodyOf(server, 'POST /v1/user/passkeys')]).toEqual([
      { password: 'correct horse' },
      {
        name: 'Laptop',
        credential: {
          id: 'AQ',
          response: { clientDataJSON: 'AQ', attestationObject: 'AQ', transports: ['internal'] },
        },
      },
    ])
  })

  test('says why the browser made none, and nothing to a user who cancelled', async ({ server, visit }) => {
    server.answer('GET /v1/system/internal/ui/settings', offered)
    server.answer('GET /v1/user/passkeys', { json: { items: [phone] } })
    server.answer('POST /v1/user/passkeys/options', { json: creation })
    await visit('/ui/profile/me')
    const passkeys = await section()
    const add = async (error: string) => {
      create.mockRejectedValue(new DOMException('no', error))
      const calls = create.mock.calls.length
      await press('button', 'Add passkey', passkeys)
      await fill('Name', 'Laptop')
      await fill('Password', 'correct horse')
      await press('button', 'Continue', await part('dialog', 'Add passkey'))
      await until(() => expect(create.mock.calls.length).toBe(calls + 1))
      await until(() => expect(passkeys.queryByText(/^Follow your browser’s instructions/)).toBeNull())
    }
    await add('InvalidStateError')
    await passkeys.findByText('This device already has a passkey of yours.')
    await add('NotSupportedError')
    await passkeys.findByText(/^This device can't keep a passkey/)
    await add('NotAllowedError')
    expect(passkeys.queryByText(/device|The passkey was not created/)).toBeNull()
    expect((await notifications()).queryByRole('alert')).toBeNull()
  })

  test('adds none for a user of another system, and has no passkeys where the server has none', async ({
    server,
    visit,
  }) => {
    server.answer('GET /v1/user', { json: { ...admin, isManaged: true } })
    server.answer('GET /v1/user/passkeys', { json: { items: [] } })
    server.answer('GET /v1/system/internal/ui/settings', offered)
    await visit('/ui/profile/me')
    await screen.findByText(/passkeys can't be added here/)
    expect((await section()).queryByRole('button', { name: 'Add passkey' })).toBeNull()
    server.answer('GET /v1/system/internal/ui/settings', { json: settings })
    await visit('/ui/profile/me')
    await screen.findByText('Streams you may add')
    expect(screen.queryByRole('region', { name: 'Passkeys' })).toBeNull()
  })
})

describe('the sign-in page', () => {
  test('signs in with a passkey, without login and password', async ({ server, visit }) => {
    let isIn = false
    server.answer('GET /v1/system/internal/ui/settings', offered)
    server.answer('GET /v1/user', () => (isIn ? { json: admin } : signedOut))
    server.answer('POST /v1/sign-in/passkey/options', { json: request })
    server.answer('POST /v1/sign-in/passkey', () => {
      isIn = true
      return { json: { mustChangePassword: false } }
    })
    get.mockResolvedValue(made)
    await visit('/ui/help?topic=keys')
    await press('button', 'Sign in with a passkey')
    await at('/ui/help?topic=keys')
    expect(bodyOf(server, 'POST /v1/sign-in/passkey')).toEqual({
      id: 'AQ',
      response: { clientDataJSON: 'AQ', authenticatorData: 'AQ', signature: 'AQ', userHandle: 'AQ' },
    })
  })

  test('a rejected passkey leads back to the password', async ({ server, visit }) => {
    server.answer('GET /v1/system/internal/ui/settings', offered)
    server.answer('GET /v1/user', signedOut)
    server.answer('POST /v1/sign-in/passkey/options', { json: request })
    server.answer('POST /v1/sign-in/passkey', { status: 401, json: { code: 'AuthorizationFailed' } })
    get.mockResolvedValue(made)
    await visit('/ui/auth')
    await press('button', 'Sign in with a passkey')
    await toast('The passkey was not accepted. Sign in with your password.')
    await focused(await field('Password'))
  })

  test('has no passkeys where the server does not announce them', async ({ server, visit }) => {
    server.answer('GET /v1/user', signedOut)
    await visit('/ui/auth')
    await screen.findByRole('button', { name: 'Sign in' })
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull()
  })
})
