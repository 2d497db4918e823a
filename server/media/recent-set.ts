import { guarded } from '../guarded.ts'

type RecentSet = { has: (member: string) => boolean; add: (member: string) => void }

/** Keeps each member for `ms` after it was last added. */
export const createRecentSet = (ms: number): RecentSet => {
  const timers = new Map<string, NodeJS.Timeout>()
  return {
    has: (member) => timers.has(member),
    add: (member) => {
      clearTimeout(timers.get(member))
      const forget = guarded('recent set: forget', () => timers.delete(member))
      timers.set(member, setTimeout(forget, ms).unref())
    },
  }
}
