import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/access.ts'
import { bearerOf } from '../access/gate.ts'
import type { Shares } from '../access/shares.ts'
import type { People } from './people.ts'
import { lifetimeMs, type Sessions } from './sessions.ts'
import type { Tokens } from './tokens.ts'

export type Identity = {
  /** Every identity of the request, the user first. With a Bearer token, valid or not, the cookie is ignored. */
  identify: (request: FastifyRequest) => Caller[]
  /** The caller as of now; undefined if session, token, share or user is gone or blocked. */
  standing: (caller: Caller) => Caller | undefined
  signIn: (request: FastifyRequest, reply: FastifyReply, login: string) => void
  renew: (request: FastifyRequest, reply: FastifyReply, session: string) => void
  signOut: (request: FastifyRequest, reply: FastifyReply) => void
}

/** `__Host-` needs HTTPS (docs/wire.md §3). */
const cookieName = (request: FastifyRequest): string => (request.protocol === 'https' ? '__Host-session' : 'session')

const one = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && header !== '' ? header : undefined

export const createIdentity = (people: People, sessions: Sessions, tokens: Tokens, shares: Shares): Identity => {
  const userCaller = (login: string, via: { session: string } | { token: string }): Caller | undefined => {
    const person = people.find(login)
    if (person === undefined || person.isBlocked) return undefined
    return {
      kind: 'user',
      id: person.id,
      login: person.login,
      isAdmin: person.isAdmin,
      maxStreamCreation: person.maxStreamCreation,
      mustChangePassword: person.mustChangePassword,
      via,
    }
  }

  const sessionOf = (request: FastifyRequest) => {
    const secret = request.cookies[cookieName(request)]
    return secret === undefined ? undefined : sessions.find(secret, request.ip)
  }

  const userOf = (request: FastifyRequest): Caller | undefined => {
    const bearer = bearerOf(request)
    if (bearer !== undefined) {
      const token = tokens.find(bearer)
      return token === undefined ? undefined : userCaller(token.login, { token: token.id })
    }
    const session = sessionOf(request)
    return session === undefined ? undefined : userCaller(session.login, { session: session.id })
  }

  const endOwn = (request: FastifyRequest): void => {
    const session = sessionOf(request)
    if (session !== undefined) sessions.end(session.login, session.id)
  }

  const cookieOptions = (request: FastifyRequest) =>
    ({ path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' }) as const

  const setCookie = (request: FastifyRequest, reply: FastifyReply, secret: string): void => {
    reply.setCookie(cookieName(request), secret, { ...cookieOptions(request), maxAge: lifetimeMs / 1000 })
  }

  return {
    identify: (request) => {
      const user = userOf(request)
      const shareToken = one(request.headers['share-token'])
      // A withdrawn token remains a share caller without a stream: the stream is 404, not a lost session.
      const share: Caller | undefined =
        shareToken === undefined ? undefined : { kind: 'share', streamUid: shares.find(shareToken) ?? '' }
      return [user, share].filter((caller) => caller !== undefined)
    },
    standing: (caller) => {
      if (caller.kind === 'anonymous') return caller
      if (caller.kind === 'share') return shares.isOpen(caller.streamUid) ? caller : undefined
      const { via } = caller
      const login = 'session' in via ? sessions.loginOf(via.session) : tokens.loginOf(via.token)
      return login === undefined ? undefined : userCaller(login, via)
    },
    signIn: (request, reply, login) => {
      endOwn(request)
      const { secret } = sessions.open(login, { userAgent: request.headers['user-agent'] ?? '', ip: request.ip })
      setCookie(request, reply, secret)
    },
    renew: (request, reply, session) => setCookie(request, reply, sessions.renew(session)),
    signOut: (request, reply) => {
      endOwn(request)
      reply.clearCookie(cookieName(request), cookieOptions(request))
    },
  }
}
