import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { OidcCallbackQuery } from '../../src/api/contract/user.ts'
import { isSameOrigin } from '../access/gate.ts'
import { readServerKey } from '../access/shares.ts'
import type { ServerPlugin } from '../context.ts'
import { minuteMs } from '../durations.ts'
import { guarded } from '../guarded.ts'
import { featureNotFound } from '../http/api-error.ts'
import { ignoreDiskErrors } from '../store/background-writes.ts'
import { createSharedThrottle } from '../users/shared-throttle.ts'
import { createVisitorThrottle, visitorOf } from '../users/visitors.ts'
import { createSignInEntries, type Applied } from './audit.ts'
import { SignInFailure, type FailureCode } from './failure.ts'
import { createFlowCookie } from './flow-cookie.ts'
import { createManagedUsers, noRules } from './managed-users.ts'
import type { OidcOptions } from './options.ts'
import { createProvider, type Provider, type Read } from './provider.ts'
import { createRereading } from './rereading.ts'
import { forgetSignOut, hasSignedOut } from './signed-out.ts'

const callbackPath = '/v1/user/oidc/callback'
/** A whole office may share one address, and starting a sign-in costs little. */
const startsAtOnce = 100
const config = { access: { to: 'anyone' } } as const
const tags = ['session']

/** A browser that comes back from the provider. */
type Returning = { request: FastifyRequest; reply: FastifyReply; query: z.output<typeof OidcCallbackQuery> }

type Given = {
  /** Undefined: there is no single sign-on. */
  provider: OidcOptions | undefined
  /** Where the console calls this server, which may be below a path (docs/wire.md §4.1). */
  apiBaseUrl: string
}

const redirectUriOf = ({ protocol, host }: FastifyRequest, apiBaseUrl: string): string => {
  const base = URL.parse(apiBaseUrl, `${protocol}://${host}`)?.href ?? `${protocol}://${host}`
  return base.replace(/\/$/, '') + callbackPath
}

/** Sign-in by an OpenID Connect provider: the authorization code flow with PKCE (docs/server.md, single sign-on). */
export const createOidcRoutes =
  ({ provider: options, apiBaseUrl }: Given): ServerPlugin =>
  async (app, context) => {
    const { identity, features, hosts, healthSources, changes, now, dataDir } = context
    const signInPage = `${app.basePath}/ui/auth`
    const users = createManagedUsers(context, options ?? noRules)
    const provider = options === undefined ? undefined : createProvider(options, context)
    const cookie = createFlowCookie(readServerKey(dataDir), now)
    const entries = createSignInEntries(context)
    const rate = { name: 'single sign-on start', capacity: startsAtOnce, refillMs: minuteMs / 20 }
    const starts = createSharedThrottle(context, rate)
    const visitors = createVisitorThrottle(context, 'single sign-on')

    await users.reconcile({ isStart: true })
    if (provider !== undefined) {
      features.add('oidc')
      healthSources.push(provider.health)
      const readAgain = createRereading(context, users, provider)
      let checkedAt = now()
      const follow = () =>
        ignoreDiskErrors(async () => {
          await users.reconcile({ isStart: false })
          await readAgain()
          const checkedNow = now()
          // Answers that are running are checked again.
          if (await users.readings.hasEnded(checkedAt, checkedNow)) changes.note('users')
          checkedAt = checkedNow
        })
      const timer = setInterval(guarded('single sign-on: rights', follow), minuteMs).unref()
      app.addHook('onClose', () => clearInterval(timer))
    }

    const back = (reply: FastifyReply, code: FailureCode) => reply.redirect(`${signInPage}?failure=${code}`)

    app.get('/v1/user/oidc/start', { exposeHeadRoute: false, config, schema: { tags } }, async (request, reply) => {
      if (provider === undefined) throw featureNotFound()
      // Another site must not start a sign-in, which would end the session in this browser.
      if (!isSameOrigin(request)) return reply.redirect(signInPage)
      if ((await starts.take(visitorOf(request, hosts).host)) !== undefined) return back(reply, 'throttled')
      try {
        const { url, flow } = await provider.begin(redirectUriOf(request, apiBaseUrl), hasSignedOut(request))
        cookie.set(request, reply, flow)
        return await reply.redirect(url)
      } catch (error) {
        if (error instanceof SignInFailure) return back(reply, error.code)
        throw error
      }
    })

    const enter = async (request: FastifyRequest, reply: FastifyReply, read: Read): Promise<void> => {
      const { person, refreshToken } = read
      const known = await users.find(person)
      const entry = await entries.begin(request, person, known)
      try {
        if (!users.isAllowed(person)) throw new SignInFailure('forbidden')
        const done: Applied[] = []
        await identity.signIn(request, reply, async () => {
          const applied = await users.apply(person, refreshToken)
          if (applied.account.isBlocked) throw new SignInFailure('blocked')
          done.push(applied)
          return applied.account.login
        })
        for (const applied of done) await entries.settle(entry, applied)
        changes.note('oidc_permissions')
      } catch (error) {
        if (error instanceof SignInFailure && error.code === 'forbidden') await users.refuse(person)
        await entries.refuse(entry, error)
        throw error
      }
    }

    const identify = async (provider: Provider, { request, reply, query }: Returning): Promise<Read> => {
      const flow = cookie.take(request, reply)
      try {
        if ((await visitors.take(visitorOf(request, hosts))) !== undefined) throw new SignInFailure('throttled')
        if (flow === undefined) throw new SignInFailure('expired', 'The cookie of the sign-in is missing or too old')
        return await provider.finish(flow, query)
      } catch (error) {
        if (error instanceof SignInFailure) await entries.fail(request, error)
        throw error
      }
    }

    app.get(
      callbackPath,
      { exposeHeadRoute: false, config, schema: { tags, querystring: OidcCallbackQuery } },
      async (request, reply) => {
        if (provider === undefined) throw featureNotFound()
        try {
          await enter(request, reply, await identify(provider, { request, reply, query: request.query }))
          const visitor = visitorOf(request, hosts)
          await visitors.giveBack(visitor)
          await starts.giveBack(visitor.host)
          forgetSignOut(request, reply)
          return await reply.redirect(signInPage)
        } catch (error) {
          if (error instanceof SignInFailure) return back(reply, error.code)
          request.log.error({ err: error }, 'single sign-on: a sign-in failed')
          return back(reply, 'failed')
        }
      },
    )
  }
