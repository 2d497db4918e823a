import type { App } from './fastify.ts'
import { onFault } from '../guarded.ts'

export const logFaults = (app: App): void => {
  const stop = onFault(({ place, error }) => app.log.error({ err: error, place }, 'a fault was contained'))
  app.addHook('onClose', () => void stop())
}
