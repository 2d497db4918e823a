import { createIngestHost } from './host.ts'
import type { Connect } from './pool.ts'

/** An ingest host in this process, by the same messages. */
export const connectHost =
  (now: () => number): Connect =>
  ({ onEvent }) => {
    const host = createIngestHost({ now, send: onEvent })
    return { send: host.take, close: () => undefined }
  }
