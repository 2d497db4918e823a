import * as z from 'zod/mini'
import { UserPermissions, UserPermissionsBody } from '../../src/api/contract/stream.ts'
import {
  Sessions as SessionsAnswer,
  Tokens as TokensAnswer,
  User,
  UserDraft,
  UserPatch,
  Users,
} from '../../src/api/contract/user.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { requireSession } from '../access/access.ts'
import { signedIn } from '../access/gate.ts'
import { replaceUserPermissions, userPermissions } from '../access/permissions.ts'
import type { ServerPlugin } from '../context.ts'
import { actionNotAcceptable, notFound } from '../http/api-error.ts'
import { notifyOfChanges } from './letters.ts'
import { hashPassword, requireComplexity } from './password.ts'
import { userOf, type PersonChange } from './people.ts'
import { requireUnmanaged, sessionsOf } from './profile.ts'

const config = { access: { to: 'administrator' } } as const
const tags = ['users']
const Login = z.object({ login: z.string() })
const LoginAndId = z.object({ login: z.string(), id: z.string() })

/** What a token changed here would outlive it, with all its rights. */
const ofAdministrators = 'make administrators or change what they sign in with'

/** Users, for administrators. A password set here must be changed (mustChangePassword). */
export const accountRoutes: ServerPlugin = (
  app,
  { store, people, sessions, tokens, configuration, features, post },
) => {
  features.add('user-tokens')

  const endAll = async (login: string): Promise<void> => {
    await sessions.endAll(login)
    await tokens.removeAll(login)
  }

  app.get('/v1/users', { config, schema: { tags, response: { 200: Users } } }, async () => ({
    items: (await people.all()).map(userOf),
  }))

  app.post('/v1/user', { config, schema: { tags, body: UserDraft, response: { 200: User } } }, async (request) => {
    const { name, email, fullName, password, language, permissionType, maxStreamCreation } = request.body
    if (permissionType === 'admin') requireSession(request.caller, ofAdministrators)
    requireComplexity(password, { login: name, email, fullName, title: configuration.values().application.title })
    const passwordHash = await hashPassword(password)
    const person = await people.create({
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
    return userOf(person)
  })

  app.get('/v1/user/:login', { config, schema: { tags, params: Login, response: { 200: User } } }, async (request) =>
    userOf(await people.get(request.params.login)),
  )

  app.patch(
    '/v1/user/:login',
    { config, schema: { tags, params: Login, body: UserPatch, response: { 200: User } } },
    async (request) => {
      const person = await people.get(request.params.login)
      const { name, password, permissionType, ...rest } = request.body
      requireUnmanaged(person, request.body)
      const isCredential = name !== undefined || rest.email !== undefined || password !== undefined
      if (person.isAdmin ? isCredential : permissionType === 'admin') requireSession(request.caller, ofAdministrators)
      const change: PersonChange = {
        ...rest,
        ...(name === undefined ? {} : { login: name }),
        ...(permissionType === undefined ? {} : { isAdmin: permissionType === 'admin' }),
      }
      if (password !== undefined) {
        if (person.login === signedIn(request).login) {
          throw actionNotAcceptable('Change your own password in your profile')
        }
        requireComplexity(password, {
          ...person,
          login: name ?? person.login,
          title: configuration.values().application.title,
        })
        change.passwordHash = await hashPassword(password)
        change.mustChangePassword = true
      }
      const changed = await store.transaction(async () => {
        const changed = await people.change(person.login, change)
        if (password !== undefined) await endAll(changed.login)
        return changed
      })
      notifyOfChanges(post, person, change, request.ip)
      return userOf(changed)
    },
  )

  app.delete(
    '/v1/user/:login',
    { config, schema: { tags, params: Login, response: { 200: nothing } } },
    async (request) => {
      await people.remove(request.params.login)
      return {}
    },
  )

  app.post(
    '/v1/user/:login/block',
    { config, schema: { tags, params: Login, response: { 200: User } } },
    async (request) => {
      const person = await people.get(request.params.login)
      if (person.login === signedIn(request).login) throw actionNotAcceptable('You can not block yourself')
      const blocked = await store.transaction(async () => {
        const blocked = await people.change(person.login, { isBlocked: true })
        await endAll(person.login)
        return blocked
      })
      return userOf(blocked)
    },
  )

  app.post(
    '/v1/user/:login/unblock',
    { config, schema: { tags, params: Login, response: { 200: User } } },
    async (request) => userOf(await people.change(request.params.login, { isBlocked: false })),
  )

  app.get(
    '/v1/user/:login/sessions',
    { config, schema: { tags, params: Login, response: { 200: SessionsAnswer } } },
    async (request) => {
      const { via } = signedIn(request)
      const { login } = await people.get(request.params.login)
      return { items: sessionsOf(await sessions.list(login), via) }
    },
  )

  app.delete(
    '/v1/user/:login/session/:id',
    { config, schema: { tags, params: LoginAndId, response: { 200: nothing } } },
    async (request) => {
      if (!(await sessions.end(request.params.login, request.params.id))) throw notFound()
      return {}
    },
  )

  app.get(
    '/v1/user/:login/tokens',
    { config, schema: { tags, params: Login, response: { 200: TokensAnswer } } },
    async (request) => ({ items: await tokens.list((await people.get(request.params.login)).login) }),
  )

  app.delete(
    '/v1/user/:login/token/:id',
    { config, schema: { tags, params: LoginAndId, response: { 200: nothing } } },
    async (request) => {
      const { login } = await people.get(request.params.login)
      if (!(await tokens.remove(login, request.params.id))) throw notFound()
      return {}
    },
  )

  app.get(
    '/v1/user/:login/permissions',
    { config, schema: { tags, params: Login, response: { 200: UserPermissions } } },
    async (request) => userPermissions(store, (await people.get(request.params.login)).login),
  )

  app.post(
    '/v1/user/:login/permissions',
    {
      config,
      bodyLimit: 4 * 1024 * 1024,
      schema: { tags, params: Login, body: UserPermissionsBody, response: { 200: UserPermissions } },
    },
    async (request) => replaceUserPermissions(store, (await people.get(request.params.login)).login, request.body),
  )
}
