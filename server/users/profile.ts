import * as z from 'zod/mini'
import {
  ProfilePatch, Sessions as SessionsAnswer, TokenCreated, TokenDraft, Tokens as TokensAnswer, User,
} from '../../src/api/contract/user.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { signedIn } from '../access/gate.ts'
import type { Room } from '../context.ts'
import { dropKept } from '../http/fresh.ts'
import {
  forbidden, invalidOldPassword, notFound, oldPasswordAndNewPasswordCannotBeSame, tooManyRequests, validationError,
} from '../http/refusal.ts'
import { tellChanges } from './letters.ts'
import { hashPassword, requireComplexity, verifyPassword } from './password.ts'
import { userOf, type Person, type PersonChange } from './people.ts'
import type { SessionRow } from './sessions.ts'
import { createThrottle } from './throttle.ts'

const config = { access: { to: 'user' } } as const
/** Open even while the password must change: where else could it be changed. */
const own = { access: { to: 'self' } } as const
const Id = z.object({ id: z.string() })

export const sessionOf = ({ id, seenAt, userAgent, ip }: SessionRow, current: string) => ({
  id, lastSeenTime: seenAt, userAgent, ip, isCurrent: id === current,
})

/** A managed user comes from elsewhere: name, e-mail and password can't be edited here (contract.md §3). */
export const requireUnmanaged = (person: Person, change: { name?: unknown; email?: unknown; password?: unknown }): void => {
  const touched = change.name !== undefined || change.email !== undefined || change.password !== undefined
  if (person.isManaged && touched) throw forbidden('This user is managed elsewhere')
}

/** The caller's own profile, tokens and sessions. */
export const profileRoutes: Room = (app, { people, sessions, tokens, identity, configuration, post, now }) => {
  const oldPasswords = createThrottle(10, 30_000, now)

  const requireOldPassword = async (person: Person, oldPassword: string): Promise<void> => {
    const wait = oldPasswords.take(person.login)
    if (wait !== undefined) throw tooManyRequests(wait)
    if (!(await verifyPassword(oldPassword, person.passwordHash, true))) throw invalidOldPassword()
    oldPasswords.giveBack(person.login)
  }

  const newPasswordHash = async (person: Person, password: string, oldPassword: string): Promise<string> => {
    await requireOldPassword(person, oldPassword)
    if (password.normalize('NFC') === oldPassword.normalize('NFC')) throw oldPasswordAndNewPasswordCannotBeSame()
    requireComplexity(password, { ...person, title: configuration.values().application.title })
    return hashPassword(password)
  }

  app.get('/v1/user', { config: own, schema: { tags: ['profile'], response: { 200: User } } }, async (request) =>
    userOf(people.get(signedIn(request).login)),
  )

  app.patch(
    '/v1/user',
    { config: own, schema: { tags: ['profile'], body: ProfilePatch, response: { 200: User } } },
    async (request, reply) => {
      const { login, via } = signedIn(request)
      const { name, password, oldPassword = '', ...rest } = request.body
      const person = people.get(login)
      const session = 'session' in via ? via.session : undefined
      requireUnmanaged(person, request.body)
      // One signs in by the name and recovers by the address: who changes them gives the password, or has given it lately (ASVS 5, 7.5.1).
      const isSensitive = (rest.email ?? person.email) !== person.email || (name ?? login) !== login
      const isProven = session !== undefined && sessions.isProven(session)
      if (isSensitive && password === undefined && !isProven) await requireOldPassword(person, oldPassword)
      const change: PersonChange = { ...rest, ...(name === undefined ? {} : { login: name }) }
      if (password !== undefined) {
        change.passwordHash = await newPasswordHash(person, password, oldPassword)
        change.mustChangePassword = false
      }
      const changed = people.change(login, change)
      if (password !== undefined) {
        sessions.endAll(changed.login, session)
        if (session !== undefined) identity.renew(request, reply, session)
      }
      tellChanges(post, person, change, request.ip)
      return userOf(changed)
    },
  )

  app.get('/v1/tokens', { config, schema: { tags: ['tokens'], response: { 200: TokensAnswer } } }, async (request) => ({
    items: tokens.list(signedIn(request).login),
  }))

  app.post(
    '/v1/token',
    { config, schema: { tags: ['tokens'], body: TokenDraft, response: { 200: TokenCreated } } },
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
      if (!tokens.remove(signedIn(request).login, request.params.id)) throw notFound()
      return {}
    },
  )

  app.get('/v1/sessions', { config, schema: { tags: ['sessions'], response: { 200: SessionsAnswer } } }, async (request) => {
    const { login, via } = signedIn(request)
    return { items: sessions.list(login).map((session) => sessionOf(session, 'session' in via ? via.session : '')) }
  })

  app.post(
    '/v1/sessions/terminate',
    { config, schema: { tags: ['sessions'], response: { 200: nothing } } },
    async (request) => {
      const { login, via } = signedIn(request)
      sessions.endAll(login, 'session' in via ? via.session : '')
      return {}
    },
  )

  app.delete(
    '/v1/session/:id',
    { config, schema: { tags: ['sessions'], params: Id, response: { 200: nothing } } },
    async (request, reply) => {
      const { login, via } = signedIn(request)
      if (!sessions.end(login, request.params.id)) throw notFound()
      if ('session' in via && via.session === request.params.id) dropKept(reply)
      return {}
    },
  )
}
