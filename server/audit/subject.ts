import * as z from 'zod/mini'
import type { Caller } from '../access/access.ts'
import type { ServerContext } from '../context.ts'
import { query } from '../store/store.ts'
import { hostOfIp } from '../http/host-of-ip.ts'
import type { Audited, AuditedCall } from './audited-routes.ts'
import { printable, type Target } from './target.ts'

/** Who makes a call. `isKnown`: the caller has proved who they are. */
export type AuditSubject = {
  actor: string
  login: string
  userId: string | null
  isAdmin: boolean
  isKnown: boolean
  claimed?: string
}

type CallDetails = {
  caller: Caller | undefined
  ip: string
  by: Audited['by']
  call: AuditedCall
  isDone: boolean
}

export type AuditObject = { target: Target | undefined; targetId: string | null; claimed?: string }

const maxLoginLength = 200
const Found = z.object({ found: z.number() })

export const createSubjects = ({
  store,
  accounts,
  passkeys,
}: Pick<ServerContext, 'store' | 'accounts' | 'passkeys'>) => {
  const streams = query(store, Found, 'SELECT 1 AS found FROM streams WHERE uid = ?')
  const mosaics = query(store, Found, 'SELECT 1 AS found FROM mosaics WHERE id = ?')

  const accountOf = async (of: Audited['of'], text: string) => {
    const word = text.trim()
    if (word === '' || word.length > maxLoginLength) return undefined
    return of === 'email' ? accounts.findByEmail(word) : accounts.find(word)
  }

  const exists = async (of: Audited['of'], id: string): Promise<boolean> =>
    (of === 'stream' && (await streams.get(id)) !== undefined) ||
    (of === 'mosaic' && (await mosaics.get(id)) !== undefined)

  const claimOf = async (by: Extract<Audited['by'], object>, call: AuditedCall): Promise<string> =>
    'claim' in by ? by.claim(call) : ((await passkeys.find(by.credential(call)))?.login ?? '')

  const claimant = async (claim: string, host: string, isDone: boolean): Promise<AuditSubject> => {
    const account = await accountOf('user', claim)
    const unknown = { actor: `host ${host}`, isAdmin: false, isKnown: false }
    if (account === undefined) {
      return { ...unknown, login: '', userId: null, ...(claim === '' ? {} : { claimed: printable(claim) }) }
    }
    const { id, login, isAdmin } = account
    if (!isDone) return { ...unknown, login, userId: id }
    return { login, userId: id, actor: `user ${id}`, isAdmin, isKnown: true }
  }

  return {
    /** Undefined if calls of this caller aren't logged. A claimed login counts as proved once the call `isDone`. */
    subjectOf: async ({ caller, ip, by, call, isDone }: CallDetails): Promise<AuditSubject | undefined> => {
      // Before the first administrator, or for a foreign page, the gate identifies no user.
      if (caller === undefined) return undefined
      if (typeof by === 'object') return claimant(await claimOf(by, call), hostOfIp(ip), isDone)
      if (caller.kind === 'user') {
        const { id, login, isAdmin } = caller
        return { actor: `user ${id}`, login, userId: id, isAdmin, isKnown: true }
      }
      const nobody = { login: '', userId: null, isAdmin: false }
      if (by === 'anyone') return { ...nobody, actor: `host ${hostOfIp(ip)}`, isKnown: false }
      // An invalid share token identifies nobody. `share link` is no user's login: logins have no spaces.
      if (caller.kind === 'anonymous' || caller.streamUid === '') return undefined
      return { ...nobody, actor: `share ${caller.streamUid}`, login: 'share link', isKnown: true }
    },

    /** A refused call may name an object that doesn't exist: its name is only `claimed`. */
    objectOf: async ({ target, of }: Audited, call: AuditedCall, isDone: boolean): Promise<AuditObject> => {
      const named = target?.(call)
      if (named === undefined || named.id === '') return { target: undefined, targetId: null }
      const account = of === 'user' || of === 'email' ? await accountOf(of, named.id) : undefined
      if (account !== undefined) {
        return { target: { id: of === 'user' ? account.login : account.email }, targetId: account.id }
      }
      if (isDone || (await exists(of, named.id))) return { target: named, targetId: null }
      return { target: undefined, targetId: null, claimed: printable(named.id) }
    },
  }
}
