import type { App } from './fastify.ts'
import { onFault } from '../guarded.ts'

export const logFaults = (app: App): void => {
  const stop = onFault(({ callback, error }) => app.log.error({ err: error, callback }, 'a fault was contained'))
  app.addHook('onClose', () => void stop())
}
