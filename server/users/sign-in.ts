import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { SignInAnswer, SignInBody } from '../../src/api/contract/user.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import type { Room } from '../context.ts'
import { dropKept } from '../http/fresh.ts'
import { authorizationFailed, tooManyRequests } from '../http/api-error.ts'
import { query } from '../store/database.ts'
import { verifyPassword } from './password.ts'
import { typedName } from './people.ts'
import { createThrottle } from './throttle.ts'
import { createVisitorThrottle, visitorOf } from './visitors.ts'
import { minuteMs } from '../durations.ts'

const knownForMs = 60 * 24 * 60 * minuteMs

const KnownRow = z.object({ seenAt: z.number() })

const createKnownHosts = (db: DatabaseSync, now: () => number) => {
  const known = query(db, KnownRow, 'SELECT seen_at AS seenAt FROM known_addresses WHERE login = ? AND address = ?')
  return {
    isKnown: (login: string, host: string): boolean =>
      now() - (known.get(login, host)?.seenAt ?? -Infinity) < knownForMs,
    remember: (login: string, host: string): void => {
      db.prepare('DELETE FROM known_addresses WHERE seen_at < ?').run(now() - knownForMs)
      db.prepare(
        `INSERT INTO known_addresses (login, address, seen_at) VALUES (?, ?, ?)
         ON CONFLICT (login, address) DO UPDATE SET seen_at = excluded.seen_at`,
      ).run(login, host, now())
    },
  }
}

/** Guesses are limited by host and login (docs/security.md). Known and unknown logins take the same time. */
export const signInRoutes: Room = (app, { db, people, identity, hosts, now }) => {
  const visitors = createVisitorThrottle(now)
  const logins = createThrottle(30, minuteMs / 2, now)
  const knownHosts = createKnownHosts(db, now)

  app.post(
    '/v1/sign-in',
    {
      config: { access: { to: 'anyone' } },
      schema: { tags: ['session'], body: SignInBody, response: { 200: SignInAnswer } },
    },
    async (request, reply) => {
      const { name, password } = request.body
      const visitor = visitorOf(request, hosts)
      const typed = typedName(name)
      const person = people.find(typed)
      const login = person?.login ?? typed.toLowerCase()
      // A rename keeps the count. No login has a space, so none reads as an id.
      const key = person === undefined ? login : `id ${person.id}`
      const hostWait = visitors.take(visitor)
      if (hostWait !== undefined) throw tooManyRequests(hostWait)
      const isKnown = !visitor.isShared && knownHosts.isKnown(login, visitor.host)
      const loginWait = isKnown ? undefined : logins.take(key)
      if (loginWait !== undefined) throw tooManyRequests(loginWait)

      const isRight = await verifyPassword(password, person?.passwordHash ?? '', isKnown)
      // The user may have been blocked, or their password changed, during the check.
      const current = isRight ? people.find(login) : undefined
      if (current === undefined || current.isBlocked || current.passwordHash !== person?.passwordHash) {
        throw authorizationFailed()
      }

      visitors.giveBack(visitor)
      if (!isKnown) logins.giveBack(key)
      if (!visitor.isShared) knownHosts.remember(current.login, visitor.host)
      identity.signIn(request, reply, current.login)
      return { mustChangePassword: current.mustChangePassword }
    },
  )

  app.post(
    '/v1/sign-out',
    { config: { access: { to: 'anyone' } }, schema: { tags: ['session'], response: { 200: nothing } } },
    async (request, reply) => {
      identity.signOut(request, reply)
      dropKept(reply)
      return {}
    },
  )
}
