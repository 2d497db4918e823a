import { useSyncExternalStore } from 'react'

export type MomentsShown = 'closed' | 'recordings' | 'annotations' | 'motion'

let shown: MomentsShown = 'closed'
let last: Exclude<MomentsShown, 'closed'> = 'annotations'
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useMomentsShown = (): MomentsShown => useSyncExternalStore(subscribe, () => shown)

export function openMoments(what: MomentsShown): void {
  if (what !== 'closed') last = what
  shown = what
  for (const listener of listeners) listener()
}

export const toggleMoments = (): void => openMoments(shown === 'closed' ? last : 'closed')
