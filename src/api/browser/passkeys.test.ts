// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PasskeyCreationOptions, PasskeyRequestOptions } from '../contract/passkeys.ts'
import { createPasskey, choosePasskey } from './passkeys.ts'

const creation: PasskeyCreationOptions = {
  rp: { id: 'localhost', name: 'Sightline' },
  user: { id: 'YW5u', name: 'ann', displayName: 'Ann' },
  challenge: 'AQID',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [{ type: 'public-key', id: 'BAUG', transports: ['usb'] }],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
}
const request: PasskeyRequestOptions = {
  challenge: 'AQID',
  rpId: 'localhost',
  timeout: 300_000,
  userVerification: 'required',
}
const bytes = (...values: number[]): ArrayBuffer => Uint8Array.from(values).buffer
const idle = new AbortController().signal
const create = vi.fn<(options: CredentialCreationOptions) => Promise<unknown>>()
const get = vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>()

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create, get } })
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'credentials')
  create.mockReset()
  get.mockReset()
})

const credential = { id: 'Bwg', rawId: bytes(7, 8), type: 'public-key', getClientExtensionResults: () => ({}) }

test('the browser gets bytes, and its answer becomes base64url', async () => {
  const response = { clientDataJSON: bytes(1), attestationObject: bytes(2), getTransports: () => ['internal'] }
  create.mockResolvedValue({ ...credential, response })
  expect(await createPasskey(creation, idle)).toEqual({
    ok: true,
    value: { id: 'Bwg', response: { clientDataJSON: 'AQ', attestationObject: 'Ag', transports: ['internal'] } },
  })
  const options = create.mock.calls[0]?.[0].publicKey
  expect([options?.challenge, options?.user.id, options?.excludeCredentials?.[0]?.id]).toEqual([
    bytes(1, 2, 3),
    bytes(97, 110, 110),
    bytes(4, 5, 6),
  ])
})

test.each([
  [bytes(97), 'YQ'],
  [null, ''],
])('a signature comes with its user handle, %o, as base64url', async (userHandle, text) => {
  const response = { clientDataJSON: bytes(1), authenticatorData: bytes(2), signature: bytes(3), userHandle }
  get.mockResolvedValue({ ...credential, response })
  expect(await choosePasskey(request, idle)).toEqual({
    ok: true,
    value: {
      id: 'Bwg',
      response: { clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'Aw', userHandle: text },
    },
  })
})

test.each([
  ['NotAllowedError', 'cancelled'],
  ['AbortError', 'cancelled'],
  ['InvalidStateError', 'existing'],
  ['ConstraintError', 'unsuitable'],
  ['NotSupportedError', 'unsuitable'],
  ['SecurityError', 'failed'],
  ['UnknownError', 'failed'],
] as const)('%s means %s', async (name, reason) => {
  create.mockRejectedValue(new DOMException('no', name))
  expect(await createPasskey(creation, idle)).toEqual({ ok: false, reason })
})

test('a browser without passkeys fails', async () => {
  vi.unstubAllGlobals()
  expect(await choosePasskey(request, idle)).toEqual({ ok: false, reason: 'failed' })
})

test('leaving closes the dialog of the browser', async () => {
  const leaving = new AbortController()
  get.mockImplementation(
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  const answer = choosePasskey(request, leaving.signal)
  leaving.abort()
  expect(await answer).toEqual({ ok: false, reason: 'cancelled' })
})
