import * as z from 'zod/mini'
import {
  ProfilePatch,
  Sessions as SessionsAnswer,
  TokenCreated,
  TokenBody,
  Tokens as TokensAnswer,
  User,
} from '../../src/api/contract/user.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { requireSession } from '../access/access.ts'
import { signedIn } from '../access/gate.ts'
import type { ServerPlugin } from '../context.ts'
import { clearSiteData } from '../http/http-cache.ts'
import {
  forbidden,
  invalidOldPassword,
  notFound,
  oldPasswordAndNewPasswordCannotBeSame,
  tooManyRequests,
  validationError,
} from '../http/api-error.ts'
import { notifyOfChanges } from './emails.ts'
import { hashPassword, isSamePassword, requireComplexity, verifyPassword } from './password.ts'
import { isTotpRequired, userOf, type Account, type AccountChange } from './account-store.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import type { SessionRow } from './sessions.ts'
import { createSharedThrottle } from './shared-throttle.ts'
import { totpRoutes } from './totp-routes.ts'

const config = { access: { to: 'user' } } as const
/** Allowed also while the user must change the password or set up a second factor. */
const own = { access: { to: 'self' } } as const
/** Not allowed with an API token: it could outlive itself, or end the sessions of its owner. */
const bySession = (notByToken: string) => ({ access: { to: 'user', notByToken } }) as const
const Id = z.object({ id: z.string() })

export const sessionsOf = (rows: readonly SessionRow[], via: ReturnType<typeof signedIn>['via']) =>
  rows.map(({ id, seenAt, userAgent, ip }) => ({
    id,
    lastSeenTime: seenAt,
    userAgent,
    ip,
    isCurrent: 'session' in via && id === via.session,
  }))

/** Throws 403: name, e-mail and password of a managed user are edited elsewhere (docs/wire.md §5.4). */
export const requireUnmanaged = (
  account: Account,
  change: { name?: unknown; email?: unknown; password?: unknown },
): void => {
  const touched = change.name !== undefined || change.email !== undefined || change.password !== undefined
  if (account.isManaged && touched) throw forbidden('This user is managed elsewhere')
}

export const profileRoutes: ServerPlugin = (app, context) => {
  const { store, accounts, sessions, tokens, totp, identity, configuration, features, mailer, now } = context
  features.add('token-revocation')
  const oldPasswords = createSharedThrottle(context, { name: 'old password', capacity: 10, refillMs: 30_000 })

  const requireOldPassword = async (account: Account, oldPassword: string): Promise<void> => {
    const wait = await oldPasswords.take(account.id)
    if (wait !== undefined) throw tooManyRequests(wait)
    if (!(await verifyPassword(oldPassword, account.passwordHash, true))) throw invalidOldPassword()
    await oldPasswords.giveBack(account.id)
  }

  totpRoutes(app, context, requireOldPassword)
  passkeyRoutes(app, context, requireOldPassword)

  const newPasswordHash = async (account: Account, password: string, oldPassword: string): Promise<string> => {
    await requireOldPassword(account, oldPassword)
    if (isSamePassword(password, oldPassword)) throw oldPasswordAndNewPasswordCannotBeSame()
    requireComplexity(password, { ...account, title: configuration.values().application.title })
    return hashPassword(password)
  }

  const profileOf = async (account: Account): Promise<User> => ({
    ...userOf(account),
    ...(account.hasTotp ? { recoveryCodesLeft: await totp.left(account.id) } : {}),
    ...(isTotpRequired(account, configuration.values().signIn.secondFactorOf) ? { isTotpRequired: true } : {}),
  })

  app.get('/v1/user', { config: own, schema: { tags: ['profile'], response: { 200: User } } }, async (request) =>
    profileOf(await accounts.get(signedIn(request).login)),
  )

  app.patch(
    '/v1/user',
    { config: own, schema: { tags: ['profile'], body: ProfilePatch, response: { 200: User } } },
    async (request, reply) => {
      const caller = signedIn(request)
      const { login, via } = caller
      const { name, password, oldPassword = '', revokeTokens = true, ...rest } = request.body
      const account = await accounts.get(login)
      const session = 'session' in via ? via.session : undefined
      requireUnmanaged(account, request.body)
      // Login and e-mail address give access to the account: a change needs a recent password check (ASVS 5, 7.5.1).
      const isSensitive = (rest.email ?? account.email) !== account.email || (name ?? login) !== login
      const isProven = session !== undefined && (await sessions.isProven(session))
      if (isSensitive || password !== undefined) requireSession(caller, 'change what you sign in with')
      // Who knows the initial password could recover the account by an address that outlives it.
      if (isSensitive && password === undefined && account.mustChangePassword) {
        throw forbidden('Change your password first')
      }
      if (isSensitive && password === undefined && !isProven) await requireOldPassword(account, oldPassword)
      const change: AccountChange = { ...rest, ...(name === undefined ? {} : { login: name }) }
      if (password !== undefined) {
        const renamed = { ...account, login: name ?? account.login }
        change.passwordHash = await newPasswordHash(renamed, password, oldPassword)
        change.mustChangePassword = false
      }
      const changed = await store.transaction(async () => {
        if (password === undefined) return accounts.change(login, change)
        // Recovery or an administrator may have changed the password meanwhile.
        if ((await accounts.find(login))?.passwordHash !== account.passwordHash) throw invalidOldPassword()
        const changed = await accounts.change(login, change)
        await sessions.endAll(changed.login, session)
        if (revokeTokens) await tokens.removeAll(changed.login)
        return changed
      })
      if (password !== undefined && session !== undefined) await identity.renew(request, reply, session)
      notifyOfChanges(mailer, account, change, request.ip)
      return profileOf(changed)
    },
  )

  app.get('/v1/tokens', { config, schema: { tags: ['tokens'], response: { 200: TokensAnswer } } }, async (request) => ({
    items: await tokens.list(signedIn(request).login),
  }))

  app.post(
    '/v1/token',
    {
      config: bySession('create tokens'),
      schema: { tags: ['tokens'], body: TokenBody, response: { 200: TokenCreated } },
    },
    async (request) => {
      const { name, expireTime = null } = request.body
      if (expireTime !== null && expireTime <= now()) throw validationError({ expireTime: 'Must be in the future' })
      return tokens.create(signedIn(request).login, name, expireTime)
    },
  )

  app.delete(
    '/v1/token/:id',
    { config, schema: { tags: ['tokens'], params: Id, response: { 200: nothing } } },
    async (request) => {
      const caller = signedIn(request)
      const { id } = request.params
      if (!('token' in caller.via && caller.via.token === id)) requireSession(caller, 'delete other tokens')
      if (!(await tokens.remove(caller.login, id))) throw notFound()
      return {}
    },
  )

  app.get(
    '/v1/sessions',
    { config, schema: { tags: ['sessions'], response: { 200: SessionsAnswer } } },
    async (request) => {
      const { login, via } = signedIn(request)
      return { items: sessionsOf(await sessions.list(login), via) }
    },
  )

  app.post(
    '/v1/sessions/terminate',
    { config: bySession('end sessions'), schema: { tags: ['sessions'], response: { 200: nothing } } },
    async (request) => {
      const { login, via } = signedIn(request)
      await sessions.endAll(login, 'session' in via ? via.session : '')
      return {}
    },
  )

  app.delete(
    '/v1/session/:id',
    { config: bySession('end sessions'), schema: { tags: ['sessions'], params: Id, response: { 200: nothing } } },
    async (request, reply) => {
      const { login, via } = signedIn(request)
      if (!(await sessions.end(login, request.params.id))) throw notFound()
      if ('session' in via && via.session === request.params.id) clearSiteData(reply)
      return {}
    },
  )
}
