import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import type { ServerPlugin } from '../../../server/context.ts'
import type { OidcOptions } from '../../../server/oidc/options.ts'
import { startServer } from '../fixtures/harness.ts'
import { client, startOidcServer, type Claims } from '../fixtures/oidc-server.ts'

export const callback = 'http://localhost/v1/user/oidc/callback'

/** An answer without end, as long as somebody reads it. */
const endless: ServerPlugin = (app) => {
  const send = async function* (): AsyncGenerator<Buffer> {
    for (;;) {
      yield Buffer.alloc(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  app.get(
    '/v1/stream/:uid/live',
    { config: { access: { to: 'view', from: 'params.uid' } }, schema: { params: z.object({ uid: z.string() }) } },
    async (_request, reply) => reply.send(Readable.from(send())),
  )
}

export const setCookies = (headers: Record<string, unknown>): Map<string, string> =>
  new Map(
    [headers['set-cookie'] ?? []].flat().map((set) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(String(set)) ?? []
      return [name, value]
    }),
  )

export const guards = { canView: true, canViewArchive: true, canAdmin: false }

/** A server whose users sign in at a provider, as Eve does, with the administrator Ann and the user Bob. */
export const openSite = async (change: Partial<OidcOptions> = {}) => {
  const provider = await startOidcServer(callback)
  onTestFinished(provider.close)
  const options: OidcOptions = {
    issuer: new URL(provider.issuer),
    clientId: client.id,
    clientSecret: client.secret,
    name: 'Example ID',
    scope: 'openid profile email groups',
    groupsClaim: 'groups',
    adminGroups: ['chiefs'],
    allowedGroups: [],
    groupRights: [{ group: 'guards', rights: guards, pattern: 'name of gate*' }],
    groupsHours: 24,
    ...change,
  }
  const server = await startServer({ plugins: [endless], oidc: options })
  const { ask, addUser, addStream, signIn } = server
  await addUser('ann', true)
  await addUser('bob')
  for (const uid of ['gate', 'gate-2', 'yard']) await addStream(uid)
  const ann = await signIn('ann')
  provider.people.set('7', {
    preferred_username: 'eve',
    name: 'Eve  Example',
    email: 'eve@example.org',
    email_verified: true,
    groups: ['guards'],
  })

  /** Begins a sign-in: the address at the provider, and the cookie of the flow. */
  const begin = async () => {
    const { status, headers } = await ask('GET', '/v1/user/oidc/start')
    const flow = setCookies(headers).get('oidc')
    return { status, url: String(headers['location']), cookie: flow === undefined ? undefined : `oidc=${flow}` }
  }

  /** Comes back from the provider: where that leads, and the cookie of the session. */
  const comeBack = async (url: URL, cookie: string | undefined) => {
    const { headers } = await ask('GET', url.pathname + url.search, { cookie })
    const session = setCookies(headers).get('session')
    return { to: headers['location'], cookie: session === undefined ? undefined : `session=${session}` }
  }

  /** The whole way of a new browser. */
  const enter = async (who: string | undefined, claims: Claims = {}) => {
    if (who !== undefined) provider.people.set(who, { ...provider.people.get(who), ...claims })
    const { url, cookie } = await begin()
    return comeBack(await provider.visit(url, who), cookie)
  }

  const me = async (cookie: string | undefined) => (await ask('GET', '/v1/user', { cookie })).body
  /** What a user may do with `gate`, `gate-2` and `yard`. */
  const rightsOf = (login: string) => {
    const needs = { isAdmin: false, maxStreamCreation: 0, mustChangePassword: false, mustAddTotp: false }
    const caller = { kind: 'user', id: '', login, ...needs, via: { token: '' } } as const
    return Promise.all(['gate', 'gate-2', 'yard'].map((uid) => server.context.access.streamRights(caller, uid)))
  }
  const entries = async () => (await server.context.audit.read({ action: 'session.single-sign-on' }, 1)).items

  return { ...server, provider, options, ann, begin, comeBack, enter, me, rightsOf, entries }
}
