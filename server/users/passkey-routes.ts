import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import {
  Passkey,
  PasskeyBody,
  PasskeyCreationOptions,
  PasskeyOptionsBody,
  PasskeyPatch,
  Passkeys as PasskeysAnswer,
} from '../../src/api/contract/passkeys.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { requireSession } from '../access/access.ts'
import { signedIn } from '../access/gate.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/fastify.ts'
import { actionNotAcceptable, forbidden, notFound, validationError } from '../http/api-error.ts'
import { credentialChangeEmail } from './emails.ts'
import type { Account } from './account-store.ts'
import {
  algorithms,
  answerLimit,
  requireRelyingParty,
  sealedChallengeOf,
  setChallengeCookie,
  verifyNewCredential,
} from './passkey-ceremony.ts'
import { challengeMs } from './passkey-challenges.ts'
import { transportsOf, type PasskeyRow } from './passkeys.ts'
import { passkeyFeature } from './relying-party.ts'

const own = { access: { to: 'self' } } as const
/** Not allowed with an initial password: whoever knows the initial one could add a passkey that outlives it. */
const bySession = { access: { to: 'user', notByToken: 'change what you sign in with' } } as const
const tags = ['profile']
const Id = z.object({ id: z.string() })

const ofOthers = { access: { to: 'administrator' } } as const
const usersTags = ['users']
const Login = z.object({ login: z.string() })
const LoginAndId = z.object({ login: z.string(), id: z.string() })

const passkeyOf = ({ id, name, host, createdAt, usedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  host,
  createTime: createdAt,
  lastUsedTime: usedAt,
})

const descriptorOf = (row: PasskeyRow) => ({
  type: 'public-key' as const,
  id: Buffer.from(row.credentialId).toString('base64url'),
  transports: transportsOf(row),
})

/**
 * A user's own passkeys: adding one takes the password, removing one ends the user's other sessions. Administrators see
 * and remove those of others, who may have lost the device.
 */
export const passkeyRoutes = (
  app: App,
  { store, accounts, sessions, passkeys, configuration, features, mailer }: ServerContext,
  requireOldPassword: (account: Account, password: string) => Promise<void>,
): void => {
  features.add(passkeyFeature).add('user-passkeys')

  const notify = (account: Account, ip: string): void =>
    mailer.sendLater((installation) => credentialChangeEmail(account, { ...installation, what: 'passkeys', ip }))

  const requireUnmanaged = ({ isManaged }: Account): void => {
    if (isManaged) throw forbidden('This user is managed elsewhere')
  }

  const ownerOf = async (request: FastifyRequest): Promise<{ account: Account; session: string }> => {
    const { login, via } = signedIn(request)
    return { account: await accounts.get(login), session: 'session' in via ? via.session : '' }
  }

  app.get(
    '/v1/user/passkeys',
    { config: own, schema: { tags, response: { 200: PasskeysAnswer } } },
    async (request) => ({ items: (await passkeys.list(signedIn(request).id)).map(passkeyOf) }),
  )

  app.post(
    '/v1/user/passkeys/options',
    { config: bySession, schema: { tags, body: PasskeyOptionsBody, response: { 200: PasskeyCreationOptions } } },
    async (request, reply) => {
      const { id: host } = requireRelyingParty(request)
      const { account, session } = await ownerOf(request)
      requireUnmanaged(account)
      await requireOldPassword(account, request.body.password)
      await passkeys.requireQuota(account.id)
      const { challenge, sealed } = passkeys.begin({ ceremony: 'add', session, host })
      setChallengeCookie(request, reply, sealed)
      const { login, fullName, id } = account
      return {
        rp: { id: host, name: configuration.values().application.title || 'Sightline' },
        user: { id: Buffer.from(id).toString('base64url'), name: login, displayName: fullName || login },
        challenge,
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
        timeout: challengeMs,
        excludeCredentials: (await passkeys.list(id)).filter((row) => row.host === host).map(descriptorOf),
        authenticatorSelection: {
          residentKey: 'required' as const,
          requireResidentKey: true as const,
          userVerification: 'required' as const,
        },
        attestation: 'none' as const,
      }
    },
  )

  app.post(
    '/v1/user/passkeys',
    { config: bySession, bodyLimit: answerLimit, schema: { tags, body: PasskeyBody, response: { 200: Passkey } } },
    async (request) => {
      const relyingParty = requireRelyingParty(request)
      const { id: host } = relyingParty
      const { account, session } = await ownerOf(request)
      const { name, credential } = request.body
      requireUnmanaged(account)
      const challenge = await passkeys.spend(sealedChallengeOf(request), { ceremony: 'add', session, host })
      const created =
        challenge === undefined ? undefined : await verifyNewCredential(credential, { relyingParty, challenge })
      if (created === undefined) throw validationError({ credential: 'Not accepted: add the passkey again' })
      const { id: credentialId, publicKey, counter } = created
      const { transports } = credential.response
      const added = await passkeys.add(account.id, { credentialId, publicKey, counter, host, transports, name })
      notify(account, request.ip)
      return passkeyOf(added)
    },
  )

  app.patch(
    '/v1/user/passkey/:id',
    { config: bySession, schema: { tags, params: Id, body: PasskeyPatch, response: { 200: nothing } } },
    async (request) => {
      if (!(await passkeys.rename(signedIn(request).id, request.params.id, request.body.name))) throw notFound()
      return {}
    },
  )

  app.delete(
    '/v1/user/passkey/:id',
    { config: bySession, schema: { tags, params: Id, response: { 200: nothing } } },
    async (request) => {
      const { account, session } = await ownerOf(request)
      await store.transaction(async () => {
        if (!(await passkeys.remove(account.id, request.params.id))) throw notFound()
        await sessions.endAll(account.login, session)
      })
      notify(account, request.ip)
      return {}
    },
  )

  app.get(
    '/v1/user/:login/passkeys',
    { config: ofOthers, schema: { tags: usersTags, params: Login, response: { 200: PasskeysAnswer } } },
    async ({ params }) => {
      const { id } = await accounts.get(params.login)
      return { items: (await passkeys.list(id)).map(passkeyOf) }
    },
  )

  app.delete(
    '/v1/user/:login/passkey/:id',
    { config: ofOthers, schema: { tags: usersTags, params: LoginAndId, response: { 200: nothing } } },
    async (request) => {
      requireSession(request.caller, 'change what users sign in with')
      const account = await accounts.get(request.params.login)
      if (account.id === signedIn(request).id) throw actionNotAcceptable('Remove your own in your profile')
      await store.transaction(async () => {
        if (!(await passkeys.remove(account.id, request.params.id))) throw notFound()
        await sessions.endAll(account.login)
      })
      notify(account, request.ip)
      return {}
    },
  )
}
