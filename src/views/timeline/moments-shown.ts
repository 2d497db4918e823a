import { useSyncExternalStore } from 'react'

export type MomentsShown = 'closed' | 'recordings' | 'annotations'

let shown: MomentsShown = 'closed'
let last: Exclude<MomentsShown, 'closed'> = 'annotations'
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Which list stands beside the picture; kept from one player to the next as long as the page lives. */
export const useMomentsShown = (): MomentsShown => useSyncExternalStore(subscribe, () => shown)

export function openMoments(what: MomentsShown): void {
  if (what !== 'closed') last = what
  shown = what
  for (const listener of listeners) listener()
}

/** Closes the list, or opens the one that was open last. */
export const toggleMoments = (): void => openMoments(shown === 'closed' ? last : 'closed')
