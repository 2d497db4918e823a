import { Assertion, PasskeyRequestOptions } from '../../src/api/contract/passkeys.ts'
import { SignInAnswer } from '../../src/api/contract/user.ts'
import type { ServerContext } from '../context.ts'
import { authorizationFailed, initialPasswordExpired, tooManyRequests } from '../http/api-error.ts'
import type { App } from '../http/fastify.ts'
import { isInitialPasswordExpired } from './account-store.ts'
import {
  answerLimit,
  requireRelyingParty,
  sealedChallengeOf,
  setChallengeCookie,
  verifyAssertion,
} from './passkey-ceremony.ts'
import { challengeMs } from './passkey-challenges.ts'
import { visitorOf, type createVisitorThrottle } from './visitors.ts'

const config = { access: { to: 'anyone' } } as const
const tags = ['session']
const purposeOf = (relyingPartyId: string) => ({ ceremony: 'sign-in', session: '', host: relyingPartyId }) as const

type Shared = {
  /** Limits the attempts, together with those by password. */
  visitors: ReturnType<typeof createVisitorThrottle>
  /** Notes that the user has signed in from this host of the client: others' attempts don't lock them out there. */
  remember: (login: string, clientHost: string) => Promise<void>
}

/**
 * Signing in with a passkey; no login is typed: the browser finds the passkey, and the device verifies the user. This
 * replaces password and second factor.
 */
export const passkeySignInRoutes = (
  app: App,
  { accounts, passkeys, identity, configuration, hosts, now }: ServerContext,
  { visitors, remember }: Shared,
): void => {
  app.post(
    '/v1/sign-in/passkey/options',
    { config, schema: { tags, response: { 200: PasskeyRequestOptions } } },
    async (request, reply) => {
      const { id } = requireRelyingParty(request)
      const { challenge, sealed } = passkeys.begin(purposeOf(id))
      setChallengeCookie(request, reply, sealed)
      return { challenge, rpId: id, timeout: challengeMs, userVerification: 'required' as const }
    },
  )

  app.post(
    '/v1/sign-in/passkey',
    { config, bodyLimit: answerLimit, schema: { tags, body: Assertion, response: { 200: SignInAnswer } } },
    async (request, reply) => {
      const relyingParty = requireRelyingParty(request)
      const visitor = visitorOf(request, hosts)
      const wait = await visitors.take(visitor)
      if (wait !== undefined) throw tooManyRequests(wait)

      const { id: credentialId, response } = request.body
      const challenge = await passkeys.spend(sealedChallengeOf(request), purposeOf(relyingParty.id))
      const passkey = challenge === undefined ? undefined : await passkeys.find(credentialId)
      const userId = Buffer.from(response.userHandle, 'base64url').toString()
      if (challenge === undefined || passkey?.userId !== userId || passkey.host !== relyingParty.id)
        throw authorizationFailed()
      const counter = await verifyAssertion(request.body, passkey, { relyingParty, challenge })
      if (counter === undefined) throw authorizationFailed()

      let mustChangePassword = false
      await identity.signIn(request, reply, async () => {
        // During the check the user may have been blocked, or the passkey removed.
        const current = await passkeys.find(credentialId)
        const account = current === undefined ? undefined : await accounts.find(current.login)
        if (account === undefined || account.isBlocked) throw authorizationFailed()
        if (isInitialPasswordExpired(account, configuration.values(), now())) throw initialPasswordExpired()
        if (!(await passkeys.use(passkey.id, counter))) {
          request.log.warn({ login: account.login }, 'a passkey was refused: its counter has not grown')
          throw authorizationFailed()
        }
        if (!visitor.isShared) await remember(account.login, visitor.host)
        mustChangePassword = account.mustChangePassword
        return account.login
      })
      await visitors.giveBack(visitor)
      return { mustChangePassword }
    },
  )
}
