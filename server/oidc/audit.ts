import type { FastifyRequest } from 'fastify'
import type { StartedEntry } from '../audit/audit-log.ts'
import { serverEntryOf, type Entry } from '../audit/entry.ts'
import type { Change } from '../audit/tables.ts'
import { printable } from '../audit/target.ts'
import type { ServerContext } from '../context.ts'
import type { Account } from '../users/account-store.ts'
import { hostOfIp } from '../http/host-of-ip.ts'
import { SignInFailure, type FailureCode } from './failure.ts'
import type { Person } from './person.ts'

const action = 'session.single-sign-on'

const outcomes: Readonly<Record<FailureCode, string>> = {
  away: 'Unavailable',
  denied: 'AuthorizationFailed',
  expired: 'AuthorizationFailed',
  forbidden: 'Forbidden',
  blocked: 'Forbidden',
  throttled: 'TooManyRequests',
  failed: 'AuthorizationFailed',
}

/** A user after a sign-in, and what that has changed. */
export type Applied = { account: Account; isNew: boolean; changes: Change[] }

export const printableChanges = (changes: readonly Change[]): Change[] =>
  changes.map(({ path, from = '', to = '' }) => ({ path, from: printable(from), to: printable(to) }))

/** The entries of the audit log about sign-ins at a provider. That of a sign-in is written before it takes effect. */
export const createSignInEntries = ({ audit, settings }: Pick<ServerContext, 'audit' | 'settings'>) => {
  const entryOf = (request: FastifyRequest, account: Account | undefined): Entry => ({
    kind: 'change',
    action,
    login: account?.login ?? '',
    userId: account?.id ?? null,
    actor: account === undefined ? `host ${hostOfIp(request.ip)}` : `user ${account.id}`,
    target: undefined,
    targetId: null,
    ip: request.ip,
    outcome: 'ok',
    details: {},
  })

  return {
    /** Undefined while the log is off. */
    begin: async (request: FastifyRequest, person: Person, known: Account | undefined) => {
      if (!settings.isAudited) return undefined
      const details = known === undefined ? { claimed: printable(person.nickname) } : {}
      return audit.begin({ ...entryOf(request, known), details })
    },
    settle: async (begun: StartedEntry | undefined, { account, isNew, changes }: Applied): Promise<void> => {
      if (begun === undefined) return
      const shown = printableChanges(changes)
      const { login, id: userId } = account
      const details = shown.length === 0 ? {} : { changes: shown }
      await audit.settle(begun, { ...begun.entry, login, userId, actor: `user ${userId}`, details })
      if (isNew) await audit.write(serverEntryOf(account, 'user.create'))
    },
    refuse: async (begun: StartedEntry | undefined, error: unknown): Promise<void> => {
      if (begun === undefined) return
      const outcome = error instanceof SignInFailure ? outcomes[error.code] : 'InternalServerError'
      const kind = begun.entry.userId === null ? 'guess' : 'refusal'
      await audit.settle(begun, { ...begun.entry, kind, outcome })
    },
    /** Writes the entry of a failed sign-in whose user isn't known. */
    fail: async (request: FastifyRequest, { code }: SignInFailure): Promise<void> => {
      if (settings.isAudited)
        await audit.write({ ...entryOf(request, undefined), kind: 'guess', outcome: outcomes[code] })
    },
  }
}
