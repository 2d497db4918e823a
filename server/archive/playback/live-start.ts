import { setTimeout as pause } from 'node:timers/promises'
import type { Site } from '../../streams/site.ts'
import { subOf } from '../../streams/substream.ts'
import type { Supervisor } from '../../streams/supervisor.ts'

const maxWaitMs = 8000
/** How long to wait for a starting substream once the main rendition plays. */
const maxWaitForSubMs = 1000

/** Waits, up to eight seconds, until a stream that is starting has live segments; undefined if it has none by then. */
export const createLiveStart = (site: Site, now: () => number) => {
  const untilLive = async (recording: string): Promise<Supervisor | undefined> => {
    const supervisor = site.supervisor(recording)
    const signal = AbortSignal.timeout(maxWaitMs)
    while (supervisor?.live.isFresh(now()) === false) {
      // A stream that was idle begins to start only in the next microtask.
      await Promise.resolve()
      if (!supervisor.isStarting() || !(await supervisor.live.waitForSegment(signal))) return undefined
    }
    return supervisor
  }

  /** The same for the substream; undefined also if the main rendition is live long before it. */
  const untilSubLive = (uid: string): Promise<Supervisor | undefined> => {
    const sub = untilLive(subOf(uid))
    const giveUpForMain = async (): Promise<Supervisor | undefined> => {
      if ((await untilLive(uid)) === undefined) return sub
      await pause(maxWaitForSubMs)
      return undefined
    }
    return Promise.race([sub, giveUpForMain()])
  }

  return { untilLive, untilSubLive }
}
