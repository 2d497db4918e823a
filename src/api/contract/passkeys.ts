import * as z from 'zod/mini'
import { atMost, items, optionalInstant, text } from './wire.ts'

/** Bytes in base64url without padding, in requests. */
const base64url = (maxCharacters: number) =>
  z.string().check(z.minLength(1), z.maxLength(maxCharacters), z.regex(/^[\w-]+$/, 'Must be base64url'))

/** 1023 bytes, the longest that WebAuthn allows. */
const credentialId = base64url(1364)
const clientDataJSON = base64url(2048)

/** How a browser reaches the device that keeps a passkey. */
export const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(100))

/** A passkey (feature `passkeys`). It works at the address `host` alone. `lastUsedTime` is null until its first use. */
export const Passkey = z.object({
  id: z.string(),
  name: text,
  host: text,
  createTime: optionalInstant,
  lastUsedTime: z.nullable(optionalInstant),
})
export type Passkey = z.output<typeof Passkey>
export const Passkeys = items(Passkey)

/** PublicKeyCredentialCreationOptionsJSON of WebAuthn. `user.id` is base64url, `timeout` in milliseconds. */
export const PasskeyCreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(
    z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.enum(transports)) }),
  ),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreationOptions = z.output<typeof PasskeyCreationOptions>

/** PublicKeyCredentialRequestOptionsJSON of WebAuthn. `timeout` in milliseconds. */
export const PasskeyRequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
})
export type PasskeyRequestOptions = z.output<typeof PasskeyRequestOptions>

/** RegistrationResponseJSON of WebAuthn, as far as the server reads it. */
export const NewCredential = z.object({
  id: credentialId,
  response: z.object({
    clientDataJSON,
    attestationObject: base64url(8192),
    transports: z.array(atMost(32)).check(z.maxLength(10)),
  }),
})
export type NewCredential = z.output<typeof NewCredential>

/** AuthenticationResponseJSON of WebAuthn, as far as the server reads it. */
export const Assertion = z.object({
  id: credentialId,
  response: z.object({
    clientDataJSON,
    authenticatorData: base64url(2048),
    signature: base64url(2048),
    userHandle: base64url(100),
  }),
})
export type Assertion = z.output<typeof Assertion>

export const PasskeyOptionsBody = z.object({ password: atMost(1024) })
export const PasskeyBody = z.object({ name, credential: NewCredential })
export type PasskeyBody = z.input<typeof PasskeyBody>
export const PasskeyPatch = z.object({ name })
