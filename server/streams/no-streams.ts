import type { StreamsPort } from '../context.ts'

/** The port of streams until their plugin is registered. */
export const noStreams: StreamsPort = {
  view: async () => [],
  extendLease: () => {},
  list: () => [],
  count: () => ({ pending: 0, running: 0, paused: 0, failed: 0 }),
  viewers: () => 0,
  recordedBytes: () => 0,
  workers: () => [],
  reconsider: () => {},
}
