import * as z from 'zod/mini'
import { UserPermissions, UserPermissionsBody } from '../../src/api/contract/stream.ts'
import {
  Sessions as SessionsAnswer,
  Tokens as TokensAnswer,
  User,
  UserBody,
  UserPatch,
  Users,
} from '../../src/api/contract/user.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { requireSession } from '../access/access.ts'
import { signedIn } from '../access/gate.ts'
import { replaceUserPermissions, userPermissions } from '../access/permissions.ts'
import type { ServerPlugin } from '../context.ts'
import { actionNotAcceptable, notFound, validationError } from '../http/api-error.ts'
import { notifyOfChanges } from './emails.ts'
import { hashPassword, requireComplexity } from './password.ts'
import { userOf, type AccountChange } from './account-store.ts'
import { removePasskeys } from './passkeys.ts'
import { requireUnmanaged, sessionsOf } from './profile.ts'

const config = { access: { to: 'administrator' } } as const
const tags = ['users']
const Login = z.object({ login: z.string() })
const LoginAndId = z.object({ login: z.string(), id: z.string() })

/**
 * What an API token must not do: the account that it made or changed would keep an administrator's rights after the
 * token was removed.
 */
const administratorChanges = 'make administrators or change what they sign in with'

/** The users, for administrators. A user must change a password that is set here (mustChangePassword). */
export const userRoutes: ServerPlugin = (
  app,
  { store, accounts, sessions, tokens, configuration, features, mailer },
) => {
  features.add('user-tokens')

  const endAll = async (login: string): Promise<void> => {
    await sessions.endAll(login)
    await tokens.removeAll(login)
  }

  app.get('/v1/users', { config, schema: { tags, response: { 200: Users } } }, async () => ({
    items: (await accounts.all()).map(userOf),
  }))

  app.post('/v1/user', { config, schema: { tags, body: UserBody, response: { 200: User } } }, async (request) => {
    const { name, email, fullName, password, language, permissionType, maxStreamCreation } = request.body
    if (permissionType === 'admin') requireSession(request.caller, administratorChanges)
    requireComplexity(password, { login: name, email, fullName, title: configuration.values().application.title })
    const passwordHash = await hashPassword(password)
    const account = await accounts.create({
      login: name,
      email: email ?? '',
      fullName: fullName ?? '',
      language: language ?? '',
      isAdmin: permissionType === 'admin',
      maxStreamCreation: maxStreamCreation ?? -1,
      isManaged: false,
      isBlocked: false,
      passwordHash,
      mustChangePassword: true,
    })
    return userOf(account)
  })

  app.get('/v1/user/:login', { config, schema: { tags, params: Login, response: { 200: User } } }, async (request) =>
    userOf(await accounts.get(request.params.login)),
  )

  app.patch(
    '/v1/user/:login',
    { config, schema: { tags, params: Login, body: UserPatch, response: { 200: User } } },
    async (request) => {
      const account = await accounts.get(request.params.login)
      const { name, password, permissionType, ...rest } = request.body
      requireUnmanaged(account, request.body)
      const changesCredentials = name !== undefined || rest.email !== undefined || password !== undefined
      if (account.isAdmin ? changesCredentials : permissionType === 'admin') {
        requireSession(request.caller, administratorChanges)
      }
      const { id, via } = signedIn(request)
      const isMoved = (rest.email ?? account.email) !== account.email || (name ?? account.login) !== account.login
      // One's own login and address need a recent password check, for which only the profile asks (ASVS 5, 7.5.1).
      if (account.id === id && isMoved && !('session' in via && (await sessions.isProven(via.session)))) {
        throw validationError({
          [(name ?? account.login) === account.login ? 'email' : 'name']: 'Change this in your profile',
        })
      }
      const change: AccountChange = {
        ...rest,
        ...(name === undefined ? {} : { login: name }),
        ...(permissionType === undefined ? {} : { isAdmin: permissionType === 'admin' }),
      }
      if (password !== undefined) {
        if (account.login === signedIn(request).login) {
          throw actionNotAcceptable('Change your own password in your profile')
        }
        requireComplexity(password, {
          ...account,
          login: name ?? account.login,
          title: configuration.values().application.title,
        })
        change.passwordHash = await hashPassword(password)
        change.mustChangePassword = true
      }
      const changed = await store.transaction(async () => {
        const changed = await accounts.change(account.login, change)
        if (password === undefined) return changed
        await endAll(changed.login)
        await removePasskeys(store, changed.id)
        return changed
      })
      notifyOfChanges(mailer, account, change, request.ip)
      return userOf(changed)
    },
  )

  app.delete(
    '/v1/user/:login',
    { config, schema: { tags, params: Login, response: { 200: nothing } } },
    async (request) => {
      await accounts.remove(request.params.login)
      return {}
    },
  )

  app.post(
    '/v1/user/:login/block',
    { config, schema: { tags, params: Login, response: { 200: User } } },
    async (request) => {
      const account = await accounts.get(request.params.login)
      if (account.login === signedIn(request).login) throw actionNotAcceptable('You can not block yourself')
      const blocked = await store.transaction(async () => {
        const blocked = await accounts.change(account.login, { isBlocked: true })
        await endAll(account.login)
        return blocked
      })
      return userOf(blocked)
    },
  )

  app.post(
    '/v1/user/:login/unblock',
    { config, schema: { tags, params: Login, response: { 200: User } } },
    async (request) => userOf(await accounts.change(request.params.login, { isBlocked: false })),
  )

  app.get(
    '/v1/user/:login/sessions',
    { config, schema: { tags, params: Login, response: { 200: SessionsAnswer } } },
    async (request) => {
      const { via } = signedIn(request)
      const { login } = await accounts.get(request.params.login)
      return { items: sessionsOf(await sessions.list(login), via) }
    },
  )

  app.delete(
    '/v1/user/:login/session/:id',
    { config, schema: { tags, params: LoginAndId, response: { 200: nothing } } },
    async (request) => {
      const { login } = await accounts.get(request.params.login)
      if (!(await sessions.end(login, request.params.id))) throw notFound()
      return {}
    },
  )

  app.get(
    '/v1/user/:login/tokens',
    { config, schema: { tags, params: Login, response: { 200: TokensAnswer } } },
    async (request) => ({ items: await tokens.list((await accounts.get(request.params.login)).login) }),
  )

  app.delete(
    '/v1/user/:login/token/:id',
    { config, schema: { tags, params: LoginAndId, response: { 200: nothing } } },
    async (request) => {
      const { login } = await accounts.get(request.params.login)
      if (!(await tokens.remove(login, request.params.id))) throw notFound()
      return {}
    },
  )

  app.get(
    '/v1/user/:login/permissions',
    { config, schema: { tags, params: Login, response: { 200: UserPermissions } } },
    async (request) => userPermissions(store, (await accounts.get(request.params.login)).login),
  )

  app.post(
    '/v1/user/:login/permissions',
    {
      config,
      bodyLimit: 4 * 1024 * 1024,
      schema: { tags, params: Login, body: UserPermissionsBody, response: { 200: UserPermissions } },
    },
    async (request) => replaceUserPermissions(store, (await accounts.get(request.params.login)).login, request.body),
  )
}
