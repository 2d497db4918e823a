import { guarded } from '../guarded.ts'
import type { Assignment, Tenure } from './cluster.ts'

export type Held = { uid: string; epoch: number; since: number }

/** What this node holds and joins. Listeners get the uid of each stream whose assignment has changed. */
export const createTenures = (monotonic: () => number) => {
  const listeners: ((uid: string) => void)[] = []
  const held = new Map<string, { tenure: Tenure; validUntil: number }>()
  let joining: ReadonlySet<string> = new Set()

  const notify = (uid: string): void => {
    for (const listener of listeners) guarded('cluster: assignment', listener)(uid)
  }

  return {
    onAssignment: (listener: (uid: string) => void): void => {
      listeners.push(listener)
    },
    uids: (): string[] => [...held.keys()],
    get: (uid: string): Tenure | undefined => held.get(uid)?.tenure,
    isKnown: (uid: string, epoch: number): boolean => held.get(uid)?.tenure.epoch === epoch,
    assignmentOf: (uid: string): Assignment | undefined => {
      if (held.has(uid)) return 'holding'
      return joining.has(uid) ? 'joining' : undefined
    },
    gain: ({ uid, epoch, since }: Held, validUntil: number): void => {
      const known = { validUntil, tenure: { epoch, since, isValid: () => monotonic() < known.validUntil } }
      held.set(uid, known)
      notify(uid)
    },
    extend: (uid: string, epoch: number, validUntil: number): void => {
      const known = held.get(uid)
      if (known?.tenure.epoch === epoch) known.validUntil = validUntil
    },
    lose: (uid: string): void => {
      if (held.delete(uid)) notify(uid)
    },
    setJoining: (uids: readonly string[]): void => {
      const before = joining
      joining = new Set(uids)
      for (const uid of new Set([...before, ...joining])) {
        if (before.has(uid) !== joining.has(uid) && !held.has(uid)) notify(uid)
      }
    },
  }
}
