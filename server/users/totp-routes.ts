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
import { changeLetter } from './letters.ts'
import { isTotpRequired, type Person } from './people.ts'
import { createThrottle } from './throttle.ts'
import { totpUrl } from './totp.ts'

const config = { access: { to: 'self' } } as const
const tags = ['profile']
const Login = z.object({ login: z.string() })

/**
 * One's own second factor, and for administrators its removal from somebody who lost the phone. Turning it on or off
 * ends the other sessions, as a new password does; API tokens stay.
 */
export const totpRoutes = (
  app: App,
  { store, backgroundWrites, people, sessions, totp, identity, configuration, features, post, now }: ServerContext,
  requireOldPassword: (person: Person, password: string) => Promise<void>,
): void => {
  features.add('totp')
  const tries = createThrottle(10, 30_000, now)

  // Whoever has to set it up signs in again and is led there. Their streams end, as rights are decided anew.
  let requiredOf: ConfigurationValues['signIn']['secondFactorOf'] = 'nobody'
  configuration.watch(({ signIn: { secondFactorOf } }) => {
    if (secondFactorOf === requiredOf) return
    requiredOf = secondFactorOf
    backgroundWrites.add(async () => {
      for (const person of await people.all())
        if (!person.hasTotp && isTotpRequired(person, secondFactorOf)) await sessions.endAll(person.login)
    })
  })

  const notify = (person: Person, ip: string): void =>
    post.write((head) => changeLetter(person, { ...head, what: 'secondFactor', ip }))

  /** Who changes their own second factor, and in which session: the one that goes on. */
  const ownerOf = async (request: FastifyRequest): Promise<{ person: Person; session: string }> => {
    const caller = signedIn(request)
    requireSession(caller, 'change what you sign in with')
    return { person: await people.get(caller.login), session: 'session' in caller.via ? caller.via.session : '' }
  }

  app.post(
    '/v1/user/totp',
    { config, schema: { tags, body: TotpBody, response: { 200: TotpBegun } } },
    async (request) => {
      const { person } = await ownerOf(request)
      await requireOldPassword(person, request.body.password)
      if (person.hasTotp) throw actionNotAcceptable('It is on: turn it off first')
      const secret = await totp.begin(person.id)
      const issuer = configuration.values().application.title || 'Sightline'
      return { secret, url: totpUrl(secret, { issuer, login: person.login }) }
    },
  )

  app.post(
    '/v1/user/totp/confirm',
    { config, schema: { tags, body: TotpCode, response: { 200: TotpConfirmed } } },
    async (request, reply) => {
      const { person, session } = await ownerOf(request)
      const wait = tries.take(person.id)
      if (wait !== undefined) throw tooManyRequests(wait)
      const recoveryCodes = await store.transaction(async () => {
        const codes = await totp.confirm(person.id, request.body.code.replaceAll(/\s/g, ''))
        if (codes === undefined) throw validationError({ code: 'Wrong, or already used' })
        await sessions.endAll(person.login, session)
        return codes
      })
      tries.giveBack(person.id)
      await identity.renew(request, reply, session)
      notify(person, request.ip)
      return { recoveryCodes }
    },
  )

  app.delete(
    '/v1/user/totp',
    { config, schema: { tags, body: TotpBody, response: { 200: nothing } } },
    async (request, reply) => {
      const { person, session } = await ownerOf(request)
      await requireOldPassword(person, request.body.password)
      await store.transaction(async () => {
        if (!(await totp.remove(person.id))) throw actionNotAcceptable('It is off')
        await sessions.endAll(person.login, session)
      })
      await identity.renew(request, reply, session)
      notify(person, request.ip)
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
      const person = await people.get(request.params.login)
      if (person.id === signedIn(request).id) throw actionNotAcceptable('Turn off your own in your profile')
      await store.transaction(async () => {
        if (!(await totp.remove(person.id))) throw actionNotAcceptable('It is off')
        await sessions.endAll(person.login)
      })
      notify(person, request.ip)
      return {}
    },
  )
}
