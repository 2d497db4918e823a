import * as z from 'zod/mini'
import { ignoreDiskErrors } from '../store/background-writes.ts'
import { query, type Store } from '../store/store.ts'
import { kinds, type Kind } from './tables.ts'

/** Entries that are kept of a kind: of all actors together, and of each. */
type Bound = { all: number; each: number }
export type Bounds = Readonly<Record<Kind, Bound>>

export const bounds: Bounds = {
  administration: { all: 60_000, each: 20_000 },
  change: { all: 30_000, each: 5000 },
  viewing: { all: 60_000, each: 10_000 },
  refusal: { all: 10_000, each: 1000 },
  guess: { all: 20_000, each: 500 },
}

export type Removal = { kind: Kind; actor: string; login: string; userId: string | null; time: number }

export type Quotas = {
  added: (kind: Kind, actor: string) => Promise<void>
  removed: (kind: Kind) => void
}

/** Entries that are removed with each added one: several, so that the log of an older version shrinks. */
const removedAtOnce = 4

const Count = z.object({ count: z.number() })
const Actor = z.object({ actor: z.string() })
const Removed = z.object({ login: z.string(), userId: z.nullable(z.string()), time: z.number() })

/** Removes the oldest entries: of an actor above the limit, or, if a kind is full, of the actor with the most. */
export const createQuotas = async (
  store: Store,
  limits: Bounds,
  onRemoval: (removal: Removal) => Promise<void>,
): Promise<Quotas> => {
  const ofKind = query(store, Count, 'SELECT count(*) AS count FROM audit_logs WHERE kind = ?')
  const ofActor = query(store, Count, 'SELECT count FROM audit_shares WHERE kind = ? AND actor = ?')
  const largestActor = query(
    store,
    Actor,
    'SELECT actor FROM audit_shares WHERE kind = ? ORDER BY count DESC, id LIMIT 1',
  )
  const removeOldest = query(
    store,
    Removed,
    `DELETE FROM audit_logs WHERE id = (SELECT id FROM audit_logs WHERE kind = ? AND actor = ? ORDER BY id LIMIT 1)
     RETURNING login, user_id AS userId, time`,
  )
  const totals = new Map<Kind, number>()
  for (const kind of kinds) totals.set(kind, (await ofKind.get(kind))?.count ?? 0)
  const count = (kind: Kind, by: number) => totals.set(kind, (totals.get(kind) ?? 0) + by)

  const remove = async (kind: Kind, actor: string): Promise<void> => {
    const removed = await removeOldest.get(kind, actor)
    if (removed === undefined) return
    count(kind, -1)
    await onRemoval({ kind, actor, ...removed })
  }

  return {
    removed: (kind) => void count(kind, -1),
    added: async (kind, actor) => {
      const { all, each } = limits[kind]
      count(kind, 1)
      await ignoreDiskErrors(async () => {
        for (let turn = 0; turn < removedAtOnce; turn += 1) {
          const loser = ((await ofActor.get(kind, actor))?.count ?? 0) > each ? actor : undefined
          const isFull = (totals.get(kind) ?? 0) > all
          if (loser === undefined && !isFull) return
          await remove(kind, loser ?? (await largestActor.get(kind))?.actor ?? actor)
        }
      })
    },
  }
}
