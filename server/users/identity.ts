import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/access.ts'
import { bearerOf } from '../access/gate.ts'
import type { Shares } from '../access/shares.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { Store } from '../store/store.ts'
import { isTotpRequired } from './people.ts'
import { lifetimeMs } from './sessions.ts'
import type { Users } from './users.ts'

export type Identity = {
  /** Every identity of the request, the user first. With a Bearer token, valid or not, the cookie is ignored. */
  identify: (request: FastifyRequest) => Promise<Caller[]>
  /** The caller as of now; undefined if session, token, share or user is gone or blocked. */
  currentCaller: (caller: Caller) => Promise<Caller | undefined>
  /** `prove` answers the login, in the transaction that opens the session, or rejects. */
  signIn: (request: FastifyRequest, reply: FastifyReply, prove: () => Promise<string>) => Promise<void>
  renew: (request: FastifyRequest, reply: FastifyReply, session: string) => Promise<void>
  signOut: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** `__Host-` needs HTTPS (docs/wire.md §3). */
const cookieName = (request: FastifyRequest): string => (request.protocol === 'https' ? '__Host-session' : 'session')

const one = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && header !== '' ? header : undefined

type Services = Omit<Users, 'totp'> & { store: Store; shares: Shares; configuration: Configuration }

export const createIdentity = ({ store, people, sessions, tokens, shares, configuration }: Services): Identity => {
  const userCaller = async (
    login: string,
    via: { session: string } | { token: string },
  ): Promise<Caller | undefined> => {
    const person = await people.find(login)
    if (person === undefined || person.isBlocked) return undefined
    return {
      kind: 'user',
      id: person.id,
      login: person.login,
      isAdmin: person.isAdmin,
      maxStreamCreation: person.maxStreamCreation,
      mustChangePassword: person.mustChangePassword,
      mustAddTotp:
        'session' in via && !person.hasTotp && isTotpRequired(person, configuration.values().signIn.secondFactorOf),
      via,
    }
  }

  const sessionOf = async (request: FastifyRequest) => {
    const secret = request.cookies[cookieName(request)]
    return secret === undefined ? undefined : sessions.find(secret, request.ip)
  }

  const userOf = async (request: FastifyRequest): Promise<Caller | undefined> => {
    const bearer = bearerOf(request)
    if (bearer !== undefined) {
      const token = await tokens.find(bearer)
      return token === undefined ? undefined : userCaller(token.login, { token: token.id })
    }
    const session = await sessionOf(request)
    return session === undefined ? undefined : userCaller(session.login, { session: session.id })
  }

  /** A withdrawn token remains a share caller without a stream: the stream is 404, not a lost session. */
  const shareCaller = async (token: string): Promise<Caller> => {
    const share = await shares.find(token)
    return { kind: 'share', streamUid: share?.uid ?? '', ...(share?.isLocked === true ? { isLocked: true } : {}) }
  }

  const endOwn = async (request: FastifyRequest): Promise<void> => {
    const session = await sessionOf(request)
    if (session !== undefined) await sessions.end(session.login, session.id)
  }

  const cookieOptions = (request: FastifyRequest) =>
    ({ path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' }) as const

  const setCookie = (request: FastifyRequest, reply: FastifyReply, secret: string): void => {
    reply.setCookie(cookieName(request), secret, { ...cookieOptions(request), maxAge: lifetimeMs / 1000 })
  }

  return {
    identify: async (request) => {
      const user = await userOf(request)
      const shareToken = one(request.headers['share-token'])
      const share = shareToken === undefined ? undefined : await shareCaller(shareToken)
      return [user, share].filter((caller) => caller !== undefined)
    },
    currentCaller: async (caller) => {
      if (caller.kind === 'anonymous') return caller
      if (caller.kind === 'share') return (await shares.isOpen(caller.streamUid)) ? caller : undefined
      const { via } = caller
      const login = await ('session' in via ? sessions.loginOf(via.session) : tokens.loginOf(via.token))
      return login === undefined ? undefined : userCaller(login, via)
    },
    signIn: async (request, reply, prove) => {
      const from = { userAgent: request.headers['user-agent'] ?? '', ip: request.ip }
      const { secret } = await store.transaction(async () => {
        const login = await prove()
        await endOwn(request)
        return sessions.open(login, from)
      })
      setCookie(request, reply, secret)
    },
    renew: async (request, reply, session) => setCookie(request, reply, await sessions.renew(session)),
    signOut: async (request, reply) => {
      await endOwn(request)
      reply.clearCookie(cookieName(request), cookieOptions(request))
    },
  }
}
