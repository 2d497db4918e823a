import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { TotpBegun, TotpBody, TotpCode, TotpConfirmed } from '../../src/api/contract/user.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { requireSession } from '../access/access.ts'
import { signedIn } from '../access/gate.ts'
import type { ConfigurationValues } from '../configuration/values.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/fastify.ts'
import { actionNotAcceptable, tooManyRequests, validationError } from '../http/api-error.ts'
import { credentialChangeEmail } from './emails.ts'
import { isTotpRequired, type Account } from './account-store.ts'
import { createSharedThrottle } from './shared-throttle.ts'
import { totpUrl } from './totp.ts'

const config = { access: { to: 'self' } } as const
const tags = ['profile']
const Login = z.object({ login: z.string() })

/**
 * A user's own second factor, and its removal by an administrator for a user who lost the phone. Turning it on or off
 * ends the user's other sessions, as a new password does; its removal by an administrator ends all. API tokens stay.
 */
export const totpRoutes = (
  app: App,
  context: ServerContext,
  requireOldPassword: (account: Account, password: string) => Promise<void>,
): void => {
  const { store, backgroundWrites, accounts, sessions, totp, identity, configuration, features, mailer } = context
  features.add('totp')
  const attempts = createSharedThrottle(context, { name: 'new code', capacity: 10, refillMs: 30_000 })

  // Users who now need a second factor must sign in again; signing in leads them to its set-up.
  let lastSecondFactorOf: ConfigurationValues['signIn']['secondFactorOf'] = 'nobody'
  configuration.watch(({ signIn: { secondFactorOf } }) => {
    if (secondFactorOf === lastSecondFactorOf) return
    lastSecondFactorOf = secondFactorOf
    backgroundWrites.add(async () => {
      for (const account of await accounts.all())
        if (!account.hasTotp && isTotpRequired(account, secondFactorOf)) await sessions.endAll(account.login)
    })
  })

  const notify = (account: Account, ip: string): void =>
    mailer.sendLater((installation) => credentialChangeEmail(account, { ...installation, what: 'secondFactor', ip }))

  /** The caller's account, and the session of the call, which isn't ended with the others. */
  const ownerOf = async (request: FastifyRequest): Promise<{ account: Account; session: string }> => {
    const caller = signedIn(request)
    requireSession(caller, 'change what you sign in with')
    return { account: await accounts.get(caller.login), session: 'session' in caller.via ? caller.via.session : '' }
  }

  app.post(
    '/v1/user/totp',
    { config, schema: { tags, body: TotpBody, response: { 200: TotpBegun } } },
    async (request) => {
      const { account } = await ownerOf(request)
      await requireOldPassword(account, request.body.password)
      if (account.hasTotp) throw actionNotAcceptable('It is on: turn it off first')
      const secret = await totp.begin(account.id)
      const issuer = configuration.values().application.title || 'Sightline'
      return { secret, url: totpUrl(secret, { issuer, login: account.login }) }
    },
  )

  app.post(
    '/v1/user/totp/confirm',
    { config, schema: { tags, body: TotpCode, response: { 200: TotpConfirmed } } },
    async (request, reply) => {
      const { account, session } = await ownerOf(request)
      const waitSeconds = await attempts.take(account.id)
      if (waitSeconds !== undefined) throw tooManyRequests(waitSeconds)
      const recoveryCodes = await store.transaction(async () => {
        const codes = await totp.confirm(account.id, request.body.code.replaceAll(/\s/g, ''))
        if (codes === undefined) throw validationError({ code: 'Wrong, or already used' })
        await sessions.endAll(account.login, session)
        return codes
      })
      await attempts.giveBack(account.id)
      await identity.renew(request, reply, session)
      notify(account, request.ip)
      return { recoveryCodes }
    },
  )

  app.delete(
    '/v1/user/totp',
    { config, schema: { tags, body: TotpBody, response: { 200: nothing } } },
    async (request, reply) => {
      const { account, session } = await ownerOf(request)
      await requireOldPassword(account, request.body.password)
      await store.transaction(async () => {
        if (!(await totp.remove(account.id))) throw actionNotAcceptable('It is off')
        await sessions.endAll(account.login, session)
      })
      await identity.renew(request, reply, session)
      notify(account, request.ip)
      return {}
    },
  )

  app.delete(
    '/v1/user/:login/totp',
    {
      config: { access: { to: 'administrator' } },
      schema: { tags: ['users'], params: Login, response: { 200: nothing } },
    },
    async (request) => {
      requireSession(request.caller, 'change what users sign in with')
      const account = await accounts.get(request.params.login)
      if (account.id === signedIn(request).id) throw actionNotAcceptable('Turn off your own in your profile')
      await store.transaction(async () => {
        if (!(await totp.remove(account.id))) throw actionNotAcceptable('It is off')
        await sessions.endAll(account.login)
      })
      notify(account, request.ip)
      return {}
    },
  )
}
