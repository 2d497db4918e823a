import * as z from 'zod/mini'
import type { Caller } from '../access/access.ts'
import type { ServerContext } from '../context.ts'
import { query } from '../store/store.ts'
import { hostOf } from '../users/throttle.ts'
import type { Audited, AuditedCall } from './audited-routes.ts'
import { plain, type Target } from './target.ts'

export type Who = {
  actor: string
  login: string
  userId: string | null
  isAdmin: boolean
  isKnown: boolean
  claimed?: string
}

type Calling = {
  caller: Caller | undefined
  ip: string
  by: Audited['by']
  call: AuditedCall
  isDone: boolean
}

export type AuditObject = { target: Target | undefined; targetId: string | null; claimed?: string }

const maxLoginLength = 200
const Found = z.object({ found: z.number() })

export const createSubjects = ({ store, people }: Pick<ServerContext, 'store' | 'people'>) => {
  const streams = query(store, Found, 'SELECT 1 AS found FROM streams WHERE uid = ?')
  const mosaics = query(store, Found, 'SELECT 1 AS found FROM mosaics WHERE id = ?')

  const personOf = async (of: Audited['of'], text: string) => {
    const word = text.trim()
    if (word === '' || word.length > maxLoginLength) return undefined
    return of === 'email' ? people.findByEmail(word) : people.find(word)
  }

  const isThere = async (of: Audited['of'], id: string): Promise<boolean> =>
    (of === 'stream' && (await streams.get(id)) !== undefined) ||
    (of === 'mosaic' && (await mosaics.get(id)) !== undefined)

  const claimant = async (claim: string, host: string, isDone: boolean): Promise<Who> => {
    const person = await personOf('user', claim)
    const unknown = { actor: `host ${host}`, isAdmin: false, isKnown: false }
    if (person === undefined) {
      return { ...unknown, login: '', userId: null, ...(claim === '' ? {} : { claimed: plain(claim) }) }
    }
    const { id, login, isAdmin } = person
    if (!isDone) return { ...unknown, login, userId: id }
    return { login, userId: id, actor: `user ${id}`, isAdmin, isKnown: true }
  }

  return {
    /** Undefined if the caller isn't logged. A claimed login counts once `isDone`. */
    whoOf: async ({ caller, ip, by, call, isDone }: Calling): Promise<Who | undefined> => {
      // Before the first administrator, or for a foreign page, the gate identifies no user.
      if (caller === undefined) return undefined
      if (typeof by === 'object') return claimant(by.claim(call), hostOf(ip), isDone)
      if (caller.kind === 'user') {
        const { id, login, isAdmin } = caller
        return { actor: `user ${id}`, login, userId: id, isAdmin, isKnown: true }
      }
      const nobody = { login: '', userId: null, isAdmin: false }
      if (by === 'anyone') return { ...nobody, actor: `host ${hostOf(ip)}`, isKnown: false }
      // An invalid share token identifies no visitor. No login has a space.
      if (caller.kind === 'anonymous' || caller.streamUid === '') return undefined
      return { ...nobody, actor: `share ${caller.streamUid}`, login: 'share link', isKnown: true }
    },

    /** A refused call may name an unknown object: that name is only `claimed`. */
    objectOf: async ({ target, of }: Audited, call: AuditedCall, isDone: boolean): Promise<AuditObject> => {
      const asked = target?.(call)
      if (asked === undefined || asked.id === '') return { target: undefined, targetId: null }
      const person = of === 'user' || of === 'email' ? await personOf(of, asked.id) : undefined
      if (person !== undefined) {
        return { target: { id: of === 'user' ? person.login : person.email }, targetId: person.id }
      }
      if (isDone || (await isThere(of, asked.id))) return { target: asked, targetId: null }
      return { target: undefined, targetId: null, claimed: plain(asked.id) }
    },
  }
}
