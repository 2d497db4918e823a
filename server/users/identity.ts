import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/access.ts'
import { bearerOf } from '../access/gate.ts'
import { passwordIdOf, type SharedRange, type Shares } from '../access/shares.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { createHostCookie } from '../http/host-cookie.ts'
import type { Store } from '../store/store.ts'
import { isTotpRequired } from './account-store.ts'
import { lifetimeMs } from './sessions.ts'
import type { Users } from './users.ts'

export type Identity = {
  /** Every identity that a request proves, the user first. A Bearer token, valid or not, replaces the cookie. */
  identify: (request: FastifyRequest) => Promise<Caller[]>
  /** The caller with its present rights; undefined if its session, token, share or user has ended or is blocked. */
  currentCaller: (caller: Caller) => Promise<Caller | undefined>
  /** `prove` runs in the transaction that opens the session: it returns the login, or rejects. */
  signIn: (request: FastifyRequest, reply: FastifyReply, prove: () => Promise<string>) => Promise<void>
  /** Gives a session a new secret and cookie. */
  renew: (request: FastifyRequest, reply: FastifyReply, session: string) => Promise<void>
  signOut: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

const cookie = createHostCookie('session')

const headerText = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && header !== '' ? header : undefined

const isSameRange = (one: SharedRange | null, other: SharedRange | undefined): boolean =>
  one?.from === other?.from && one?.to === other?.to && one?.hasLive === other?.hasLive

type Services = Omit<Users, 'totp' | 'passkeys'> & {
  store: Store
  shares: Shares
  configuration: Configuration
  now: () => number
}

export const createIdentity = (services: Services): Identity => {
  const { store, accounts, sessions, tokens, shares, configuration, now } = services
  const userCaller = async (
    login: string,
    via: { session: string } | { token: string },
  ): Promise<Caller | undefined> => {
    const account = await accounts.find(login)
    if (account === undefined || account.isBlocked) return undefined
    // Nobody has asked the provider for too long: the user has to sign in again.
    if (account.rightsUntil > 0 && now() >= account.rightsUntil) return undefined
    return {
      kind: 'user',
      id: account.id,
      login: account.login,
      isAdmin: account.isAdmin,
      maxStreamCreation: account.maxStreamCreation,
      mustChangePassword: account.mustChangePassword,
      mustAddTotp:
        'session' in via && !account.hasTotp && isTotpRequired(account, configuration.values().signIn.secondFactorOf),
      via,
    }
  }

  const sessionOf = async (request: FastifyRequest) => {
    const secret = cookie.read(request)
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

  /** An unknown token makes a share caller without a stream: calls answer 404, as 401 would mean a lost session. */
  const shareCaller = async (token: string): Promise<Caller> => {
    const { uid: streamUid = '', needsPassword = false, passwordId = '', range } = (await shares.find(token)) ?? {}
    const share = { kind: 'share' as const, streamUid, ...(range !== undefined && { range }) }
    if (needsPassword) return { ...share, needsPassword }
    return { ...share, ...(passwordId !== '' && { passwordId }) }
  }

  const endOwn = async (request: FastifyRequest): Promise<void> => {
    const session = await sessionOf(request)
    if (session !== undefined) await sessions.end(session.login, session.id)
  }

  return {
    identify: async (request) => {
      const user = await userOf(request)
      const shareToken = headerText(request.headers['share-token'])
      const share = shareToken === undefined ? undefined : await shareCaller(shareToken)
      return [user, share].filter((caller) => caller !== undefined)
    },
    currentCaller: async (caller) => {
      if (caller.kind === 'anonymous') return caller
      if (caller.kind === 'share') {
        const options = await shares.optionsOf(caller.streamUid)
        if (options === undefined || !isSameRange(options.range, caller.range)) return undefined
        const isPasswordGiven = ['', caller.passwordId].includes(passwordIdOf(options))
        return isPasswordGiven || caller.needsPassword === true ? caller : undefined
      }
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
      cookie.set(request, reply, secret, lifetimeMs)
    },
    renew: async (request, reply, session) => cookie.set(request, reply, await sessions.renew(session), lifetimeMs),
    signOut: async (request, reply) => {
      await endOwn(request)
      cookie.clear(request, reply)
    },
  }
}
