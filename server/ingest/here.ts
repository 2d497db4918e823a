import { createIngestHost } from './host.ts'
import type { Connect } from './pool.ts'

/** Starts an ingest host in this process, with the same messages as a worker's. `now` is corrected already. */
export const connectHost =
  (now: () => number): Connect =>
  ({ onEvent }) => {
    let clockAheadMs = 0
    const host = createIngestHost({ now, clockAheadMs: () => clockAheadMs, send: onEvent })
    const setClockAhead = (aheadMs: number): void => {
      clockAheadMs = aheadMs
    }
    return { send: host.take, setClockAhead, close: () => undefined }
  }
