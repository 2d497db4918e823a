import * as z from 'zod/mini'
import { atMost, flag, instant, items, key, licenseText, numberOr, optionalInstant, text } from './wire.ts'

/** A user; `name` is the login. `permissionType` is `admin` or `user`. `maxStreamCreation` -1 is without limit. */
export const User = z.object({
  name: z.string(),
  email: text,
  fullName: text,
  language: text,
  isAdmin: flag,
  permissionType: text,
  maxStreamCreation: numberOr(-1),
  isManaged: flag,
  isBlocked: flag,
  /** Present only while true, so that a reloaded console knows it. */
  mustChangePassword: z.optional(z.boolean()),
  /** Signing in asks for a code of an app (feature `totp`); present only while true. */
  hasTotp: z.optional(z.boolean()),
  /** The own profile's, with `hasTotp`. */
  recoveryCodesLeft: z.optional(z.number()),
  /** The own profile's: nothing else is open without `hasTotp`; present only while true. */
  isTotpRequired: z.optional(z.boolean()),
})
export type User = z.output<typeof User>
export const Users = items(User)

/** Above the longest allowed password: PasswordIsNotComplexEnough has the real limit. */
const password = atMost(1024)

/** Above the longest allowed code, of an app or a recovery code. */
const code = atMost(100)

/** Without `code`, a user who has a second factor is answered 401 SecondFactorRequired. */
export const SignInBody = z.object({ name: key, password, code: z.optional(code) })
/**
 * While the password must change, all calls except those of the own profile are 403 Forbidden. `recoveryCodesLeft`:
 * only after a recovery code was used.
 */
export const SignInAnswer = z.object({ mustChangePassword: flag, recoveryCodesLeft: z.optional(z.number()) })

export const TotpBody = z.object({ password })
/** `secret` is base32; `url` is the content of the QR code (`otpauth://totp/…`). */
export const TotpBegun = z.object({ secret: z.string(), url: z.string() })
export type TotpBegun = z.output<typeof TotpBegun>
export const TotpCode = z.object({ code })
/** Shown once. */
export const TotpConfirmed = z.object({ recoveryCodes: z.array(z.string()) })
export type TotpConfirmed = z.output<typeof TotpConfirmed>

const login = z
  .string()
  .check(
    z.trim(),
    z.minLength(1),
    z.maxLength(100),
    z.regex(/^(?!\.{1,2}$)[^\s/]+$/, 'Must not contain spaces or slashes, nor be only dots'),
  )
const fullName = z.string().check(z.trim(), z.maxLength(200))
const language = atMost(35)
const maxStreamCreation = z.int().check(z.minimum(-1), z.maximum(1_000_000))
const maxEmailLength = 254
/** The browser's own rule for addresses; a host without a dot is allowed. */
const email = z.union([z.literal(''), z.email({ pattern: z.regexes.html5Email }).check(z.maxLength(maxEmailLength))])

export const ProfilePatch = z.object({
  email: z.optional(email),
  password: z.optional(password),
  oldPassword: z.optional(password),
  language: z.optional(language),
  fullName: z.optional(fullName),
  name: z.optional(login),
  /** With a new password: whether the API tokens are revoked too (feature `token-revocation`). */
  revokeTokens: z.optional(z.boolean()),
})
export type ProfilePatch = z.input<typeof ProfilePatch>

export const UserDraft = z.object({
  name: login,
  email: z.optional(email),
  fullName: z.optional(fullName),
  password,
  language: z.optional(language),
  permissionType: z.optional(z.enum(['admin', 'user'])),
  maxStreamCreation: z.optional(maxStreamCreation),
})
export type UserDraft = z.input<typeof UserDraft>

export const UserPatch = z.partial(UserDraft)
export type UserPatch = z.input<typeof UserPatch>

export const UnlockBody = z.object({
  login,
  password,
  email: z.optional(email),
  license: z.optional(licenseText),
})
export type UnlockBody = z.input<typeof UnlockBody>

export const Session = z.object({
  id: z.string(),
  lastSeenTime: optionalInstant,
  userAgent: text,
  ip: text,
  isCurrent: flag,
})
export type Session = z.output<typeof Session>
export const Sessions = items(Session)

export const Token = z.object({ id: z.string(), name: text, expireTime: z.nullable(optionalInstant) })
export type Token = z.output<typeof Token>
export const Tokens = items(Token)
export const TokenDraft = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  expireTime: z.nullish(instant),
})
/** The secret `token` is shown once. */
export const TokenCreated = z.extend(Token, { token: z.string() })
export type TokenCreated = z.output<typeof TokenCreated>

export const SendResetBody = z.object({ email: z.string().check(z.minLength(1), z.maxLength(maxEmailLength)) })
export const ResetBody = z.object({ code, password, email: atMost(maxEmailLength) })
