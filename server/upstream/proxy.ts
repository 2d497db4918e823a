import fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { resolve } from 'node:path'
import type * as z from 'zod/mini'
import type { Configuration } from '../../src/api/contract/settings.ts'
import type { App } from '../http/fastify.ts'
import { consoleRoutes } from '../http/console.ts'
import { configurationBelow } from '../http/base-path.ts'
import { baseOptions, installBase } from '../http/base.ts'
import { logFaults } from '../http/faults.ts'
import { installProtection } from '../http/protection.ts'
import { createHosts, installHosts } from '../http/hosts.ts'
import { installHeadLimits } from '../http/limits.ts'
import { loggerOptions } from '../http/log.ts'
import { followRenewals } from '../http/tls-renewal.ts'
import { endConnectionsOnClose, tlsOptions, type Tls } from '../http/tls.ts'
import { createForward } from './forward.ts'

export type ProxyOptions = {
  upstream: URL
  distDir: string
  configuration?: z.input<typeof Configuration>
  logLevel?: string
  trustProxy?: string
  basePath?: string
  allowedHosts?: readonly string[]
  tls?: Tls
}

/** Milliseconds for a whole request: a slower client would occupy a connection to the upstream. */
const requestTimeout = 300_000

/** Serves the console and proxies /v1: no embedded server, database or ffmpeg. */
export const buildProxy = async (options: ProxyOptions): Promise<App> => {
  const { basePath = '' } = options
  const configuration = configurationBelow(basePath, options.configuration ?? {})
  const app: App = fastify({
    ...tlsOptions(options.tls, requestTimeout),
    logger: loggerOptions(options.logLevel ?? 'silent'),
    ...baseOptions(basePath),
    requestTimeout,
    trustProxy: options.trustProxy ?? false,
    routerOptions: { maxParamLength: 2000 },
  }).withTypeProvider<ZodTypeProvider>()
  if (options.tls !== undefined) endConnectionsOnClose(app)
  logFaults(app)
  installBase(app, basePath)
  await installProtection(app, configuration)
  installHeadLimits(app)
  const hosts = createHosts(options.allowedHosts ?? [], options.tls)
  installHosts(app, hosts)
  if (options.tls !== undefined) followRenewals(app, options.tls, hosts)
  await app.register(async (scope) => consoleRoutes(scope, { distDir: resolve(options.distDir), configuration }))
  await app.register(async (scope) => {
    const { methods, forward, close } = createForward(options.upstream)
    scope.addHook('onClose', () => close())
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.route({ method: [...methods], url: '/v1/*', schema: { hide: true }, handler: forward })
  })
  await app.ready()
  return app
}
