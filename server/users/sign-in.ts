import * as z from 'zod/mini'
import { SignInAnswer, SignInBody } from '../../src/api/contract/user.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import type { ServerPlugin } from '../context.ts'
import { clearSiteData } from '../http/http-cache.ts'
import {
  authorizationFailed,
  initialPasswordExpired,
  secondFactorRequired,
  tooManyRequests,
  wrongCode,
} from '../http/api-error.ts'
import { noteSignOut } from '../oidc/signed-out.ts'
import { query, type Store } from '../store/store.ts'
import { verifyPassword } from './password.ts'
import { isInitialPasswordExpired, typedName, type Account } from './account-store.ts'
import { passkeySignInRoutes } from './passkey-sign-in.ts'
import { createSharedThrottle } from './shared-throttle.ts'
import type { UsedCode } from './totp.ts'
import { createVisitorThrottle, visitorOf } from './visitors.ts'
import { minuteMs } from '../durations.ts'

const knownForMs = 60 * 24 * 60 * minuteMs

const KnownRow = z.object({ seenAt: z.number() })

const createKnownHosts = (store: Store, now: () => number) => {
  const known = query(store, KnownRow, 'SELECT seen_at AS seenAt FROM known_addresses WHERE login = ? AND address = ?')
  return {
    isKnown: async (login: string, host: string): Promise<boolean> =>
      now() - ((await known.get(login, host))?.seenAt ?? -Infinity) < knownForMs,
    remember: async (login: string, host: string): Promise<void> => {
      await store.run('DELETE FROM known_addresses WHERE seen_at < ?', now() - knownForMs)
      await store.run(
        `INSERT INTO known_addresses (login, address, seen_at) VALUES (?, ?, ?)
         ON CONFLICT (login, address) DO UPDATE SET seen_at = excluded.seen_at`,
        login,
        host,
        now(),
      )
    },
  }
}

/**
 * Attempts are limited by host and by login, those with codes also by user (docs/security.md). Known and unknown logins
 * take the same time.
 */
export const signInRoutes: ServerPlugin = (app, context) => {
  const { store, accounts, identity, totp, configuration, features, hosts, now } = context
  const visitors = createVisitorThrottle(context, 'sign-in')
  const logins = createSharedThrottle(context, { name: 'login', capacity: 30, refillMs: minuteMs / 2 })
  const codes = createSharedThrottle(context, { name: 'code', capacity: 10, refillMs: 5 * minuteMs })
  const knownHosts = createKnownHosts(store, now)
  passkeySignInRoutes(app, context, { visitors, remember: knownHosts.remember })

  const spendCode = async ({ id, hasTotp }: Account, code: string): Promise<UsedCode> => {
    if (!hasTotp) return {}
    const used = await totp.use(id, code)
    if (used === undefined) throw wrongCode()
    return used
  }

  app.post(
    '/v1/sign-in',
    {
      config: { access: { to: 'anyone' } },
      schema: { tags: ['session'], body: SignInBody, response: { 200: SignInAnswer } },
    },
    async (request, reply) => {
      const { name, password, code = '' } = request.body
      const visitor = visitorOf(request, hosts)
      const typed = typedName(name)
      const account = await accounts.find(typed)
      const login = account?.login ?? typed.toLowerCase()
      // By id, so that a rename keeps the count. The key differs from every login, as logins have no spaces.
      const key = account === undefined ? login : `id ${account.id}`
      const hostWait = await visitors.take(visitor)
      if (hostWait !== undefined) throw tooManyRequests(hostWait)
      const isKnown = !visitor.isShared && (await knownHosts.isKnown(login, visitor.host))
      const loginWait = isKnown ? undefined : await logins.take(key)
      if (loginWait !== undefined) throw tooManyRequests(loginWait)

      const isRight = await verifyPassword(password, account?.passwordHash ?? '', isKnown)
      const giveBack = async (): Promise<void> => {
        await visitors.giveBack(visitor)
        if (!isKnown) await logins.giveBack(key)
      }
      const isCodeChecked = isRight && account?.hasTotp === true && code !== ''
      const codeWait = isCodeChecked ? await codes.take(key) : undefined
      if (codeWait !== undefined) throw tooManyRequests(codeWait)
      let mustChangePassword = false
      let used: UsedCode = {}
      let isCodeMissing = false
      const signingIn = identity.signIn(request, reply, async () => {
        // During the check the user may have been blocked, or the password changed.
        const current = isRight ? await accounts.find(login) : undefined
        if (current === undefined || current.isBlocked || current.passwordHash !== account?.passwordHash) {
          throw authorizationFailed()
        }
        if (isInitialPasswordExpired(current, configuration.values(), now())) throw initialPasswordExpired()
        isCodeMissing = current.hasTotp && code === ''
        if (isCodeMissing) throw secondFactorRequired()
        used = await spendCode(current, code)
        if (!visitor.isShared) await knownHosts.remember(current.login, visitor.host)
        mustChangePassword = current.mustChangePassword
        return current.login
      })
      try {
        await signingIn
      } catch (error) {
        // Given back here, as the error undoes what the transaction of the sign-in has written.
        if (isCodeMissing) await giveBack()
        throw error
      }
      await giveBack()
      if (isCodeChecked) await codes.giveBack(key)
      return { mustChangePassword, ...(used.left === undefined ? {} : { recoveryCodesLeft: used.left }) }
    },
  )

  app.post(
    '/v1/sign-out',
    { config: { access: { to: 'anyone' } }, schema: { tags: ['session'], response: { 200: nothing } } },
    async (request, reply) => {
      await identity.signOut(request, reply)
      if (features.has('oidc')) noteSignOut(request, reply)
      clearSiteData(reply)
      return {}
    },
  )
}
