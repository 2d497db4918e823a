import { useSyncExternalStore } from 'react'

/** The open list of the player. It stays open from player to player, so it is kept outside of their machines. */
export type MomentsTab = 'closed' | 'recordings' | 'annotations' | 'motion'

let shown: MomentsTab = 'closed'
let last: Exclude<MomentsTab, 'closed'> = 'annotations'
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useMomentsTab = (): MomentsTab => useSyncExternalStore(subscribe, () => shown)

export function openMomentsTab(tab: MomentsTab): void {
  if (tab !== 'closed') last = tab
  shown = tab
  for (const listener of listeners) listener()
}

export const toggleMoments = (): void => openMomentsTab(shown === 'closed' ? last : 'closed')
