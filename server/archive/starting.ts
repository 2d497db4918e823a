import { setTimeout as after } from 'node:timers/promises'
import type { Site } from '../streams/site.ts'
import { subOf } from '../streams/substream.ts'
import type { Supervisor } from '../streams/supervisor.ts'

const maxWaitMs = 8000
/** How long to wait for a starting substream while the main rendition plays. */
const maxWaitForSubMs = 1000

/** Waits for streams that are starting; undefined where nothing plays. */
export const createStarting = (site: Site, now: () => number) => {
  const playing = async (recording: string): Promise<Supervisor | undefined> => {
    const supervisor = site.supervisor(recording)
    const signal = AbortSignal.timeout(maxWaitMs)
    while (supervisor?.live.isFresh(now()) === false) {
      // Lets an idle stream begin to start.
      await Promise.resolve()
      if (!supervisor.isStarting() || !(await supervisor.live.next(signal))) return undefined
    }
    return supervisor
  }

  /** The substream, unless the main rendition plays long before it. */
  const playingSub = (uid: string): Promise<Supervisor | undefined> => {
    const sub = playing(subOf(uid))
    const unlessMain = async (): Promise<Supervisor | undefined> => {
      if ((await playing(uid)) === undefined) return sub
      await after(maxWaitForSubMs)
      return undefined
    }
    return Promise.race([sub, unlessMain()])
  }

  return { playing, playingSub }
}
