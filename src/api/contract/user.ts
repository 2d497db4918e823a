import * as z from 'zod/mini'
import { atMost, extension, flag, instant, items, key, licenseText, numberOr, optionalInstant, text } from './wire.ts'

/** A user; `name` is the login. `permissionType` is `admin` or `user`. `maxStreamCreation` -1: no limit. */
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
  /** Only present if true. */
  mustChangePassword: extension(z.boolean()),
  /** The user has a second factor (feature `totp`); only present if true. */
  hasTotp: extension(z.boolean()),
  /** Only in one's own profile, with `hasTotp`. */
  recoveryCodesLeft: extension(z.number()),
  /** Only in one's own profile, and only if true: all other calls answer 403 until `hasTotp`. */
  isTotpRequired: extension(z.boolean()),
})
export type User = z.output<typeof User>
export const Users = items(User)

/** Longer than any allowed password: the server answers PasswordIsNotComplexEnough with the real limit. */
const password = atMost(1024)

/** Longer than any code of an app or an email, and any recovery code. */
const code = atMost(100)

/** Without `code`, a user with a second factor gets 401 SecondFactorRequired. */
export const SignInBody = z.object({ name: key, password, code: z.optional(code) })
/**
 * With `mustChangePassword`, all calls but those of one's own profile answer 403 Forbidden. `recoveryCodesLeft`: only
 * after signing in with a recovery code.
 */
export const SignInAnswer = z.object({ mustChangePassword: flag, recoveryCodesLeft: z.optional(z.number()) })

/** The query of the callback URL to which a single sign-on provider redirects. */
export const OidcCallbackQuery = z.object({
  code: z.optional(atMost(4000)),
  state: z.optional(atMost(500)),
  iss: z.optional(atMost(2000)),
  error: z.optional(atMost(200)),
})

export const TotpBody = z.object({ password })
/** `secret` is base32; `url` (`otpauth://totp/…`) is the content of the QR code. */
export const TotpBegun = z.object({ secret: z.string(), url: z.string() })
export type TotpBegun = z.output<typeof TotpBegun>
export const TotpCode = z.object({ code })
/** The server shows recovery codes only in this answer. */
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
/** As `<input type="email">` checks it; a host without a dot is allowed. */
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
/**
 * What the console checks before sending: all but the old password, which only the server can judge
 * (docs/behaviour.md §11).
 */
export const CheckedProfilePatch = z.omit(ProfilePatch, { oldPassword: true })

export const UserBody = z.object({
  name: login,
  email: z.optional(email),
  fullName: z.optional(fullName),
  password,
  language: z.optional(language),
  permissionType: z.optional(z.enum(['admin', 'user'])),
  maxStreamCreation: z.optional(maxStreamCreation),
})
export type UserBody = z.input<typeof UserBody>

export const UserPatch = z.partial(UserBody)
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
export const TokenBody = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  expireTime: z.nullish(instant),
})
/** The server shows `token` only in this answer. */
export const TokenCreated = z.extend(Token, { token: z.string() })
export type TokenCreated = z.output<typeof TokenCreated>
/** `TokenCreated` as the console reads it: other servers may leave out `token`. */
export const ReadTokenCreated = z.extend(TokenCreated, { token: text })

export const SendResetBody = z.object({ email: z.string().check(z.minLength(1), z.maxLength(maxEmailLength)) })
export const ResetBody = z.object({ code, password, email: atMost(maxEmailLength) })
