import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Provider, type Adapter, type AdapterPayload, type JWK } from 'oidc-provider'

export type Claims = { [name: string]: unknown; groups?: readonly string[] }

const minute = 60

const memoryAdapter =
  (kept: Map<string, AdapterPayload>) =>
  (model: string): Adapter => ({
    upsert: async (id, payload) => void kept.set(`${model} ${id}`, payload),
    find: async (id) => kept.get(`${model} ${id}`),
    findByUid: async (uid) => [...kept.values()].find((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const payload = kept.get(`${model} ${id}`)
      if (payload !== undefined) payload.consumed = true
    },
    destroy: async (id) => void kept.delete(`${model} ${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
    },
  })

const signingKey = (): JWK => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty = 'EC', ...key } = privateKey.export({ format: 'jwk' })
  return { kty, ...key, use: 'sig', alg: 'ES256' }
}

const portOf = (server: ReturnType<typeof createServer>): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export const client = { id: 'sightline', secret: 'kept by both of them' }

/** An OpenID Connect provider on this machine, and browsers whose user it lets in at once. */
export const startOidcServer = async (redirectUri: string) => {
  const kept = new Map<string, AdapterPayload>()
  let givesRefreshTokens = false
  const people = new Map<string, Claims>()
  let next: string | undefined
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${portOf(server)}`

  const provider = new Provider(issuer, {
    adapter: memoryAdapter(kept),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    scopes: ['openid', 'groups'],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    cookies: { keys: ['a key of the test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: async () => givesRefreshTokens,
    jwks: { keys: [signingKey()] },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: client.id,
        ...(oidc.session?.accountId === undefined ? {} : { accountId: oidc.session.accountId }),
      })
      grant.addOIDCScope('openid profile email groups')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
    ttl: {
      AccessToken: minute,
      AuthorizationCode: minute,
      Grant: minute,
      IdToken: minute,
      Interaction: minute,
      RefreshToken: minute,
      Session: minute,
    },
  })
  const answer = provider.callback()
  const interact = (request: IncomingMessage, response: ServerResponse) =>
    provider.interactionFinished(
      request,
      response,
      next === undefined ? { error: 'access_denied' } : { login: { accountId: next } },
    )
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) void interact(request, response)
    else void answer(request, response)
  })

  /** Who signs in next; undefined: it refuses. */
  const letIn = (who: string | undefined): void => {
    next = who
  }

  return {
    issuer,
    people,
    letIn,
    /** From now on, sign-ins give a refresh token, which works once. */
    giveRefreshTokens: (): void => {
      givesRefreshTokens = true
    },
    /** As if they had run out, or the user were removed. */
    endRefreshTokens: (): void => {
      for (const key of kept.keys()) if (key.startsWith('RefreshToken ')) kept.delete(key)
    },
    /** Follows the address of a sign-in in a new browser, and returns where the provider leads back to. */
    visit: async (address: string, who: string | undefined): Promise<URL> => {
      letIn(who)
      const cookies = new Map<string, string>()
      let url = new URL(address)
      while (url.origin === issuer) {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
        const { headers, status } = await fetch(url, { redirect: 'manual', headers: { cookie } })
        for (const set of headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          cookies.set(name, value)
        }
        const location = headers.get('location')
        if (location === null) throw new Error(`The provider answers ${status} at ${url.pathname}`)
        url = new URL(location, url)
      }
      return url
    },
    close: async (): Promise<void> => {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    reopen: async (): Promise<void> => {
      server.listen(Number(new URL(issuer).port), '127.0.0.1')
      await once(server, 'listening')
    },
  }
}
