import { createIngestHost } from './host.ts'
import type { Connect } from './pool.ts'

/** Starts an ingest host in this process, with the same messages as a worker's. */
export const connectHost =
  (now: () => number): Connect =>
  ({ onEvent }) => {
    const host = createIngestHost({ now, send: onEvent })
    return { send: host.take, close: () => undefined }
  }
