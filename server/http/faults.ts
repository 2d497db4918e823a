import type { App } from './fastify.ts'
import { onFault } from '../guarded.ts'
import { StoreClosed } from '../store/connection.ts'

/** Logs faults of callbacks, but not that a timer's work was cut short because the server stops. */
export const logFaults = (app: App): void => {
  const stop = onFault(({ callback, error }) => {
    if (!(error instanceof StoreClosed)) app.log.error({ err: error, callback }, 'a fault was contained')
  })
  app.addHook('onClose', () => void stop())
}
