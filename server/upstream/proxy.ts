import fastify, { LogController, type FastifyReply, type FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream'
import type * as z from 'zod/mini'
import type { Configuration } from '../../src/api/contract/settings.ts'
import type { App } from '../context.ts'
import { onFault } from '../guarded.ts'
import { consoleRoutes } from '../http/console.ts'
import { answerError, answerNoRoute, answerUnparsed } from '../http/errors.ts'
import { installGuard } from '../http/guard.ts'
import { loggerOptions } from '../http/log.ts'
import { unavailable } from '../http/refusal.ts'
import { endConnectionsOnClose, transport, type Tls } from '../http/tls.ts'
import { ourHeaders, theirHeaders } from './headers.ts'

export type ProxyOptions = {
  /** The origin of the product's own server. */
  upstream: URL
  distDir: string
  configuration?: z.input<typeof Configuration>
  logLevel?: string
  trustProxy?: string
  /** What it speaks HTTPS with, over HTTP/2; plain HTTP where it is undefined. */
  tls?: Tls
}

/** A server that says nothing for five minutes is given up; shorter limits are the console's own (spec.md §9). */
const silenceMs = 300_000

/** Sends one call on and its answer back, both as streams; whoever hangs up ends the other side too. */
const createForward = (upstream: URL) => {
  const isTls = upstream.protocol === 'https:'
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const send = isTls ? httpsRequest : httpRequest

  const ask = (request: FastifyRequest, reply: FastifyReply): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const own = { origin: `${request.protocol}://${request.host}`, isHttps: request.protocol === 'https' }
      const call = send(upstream, {
        path: request.url,
        agent,
        method: request.method,
        headers: theirHeaders(request.headers, own, upstream),
        timeout: silenceMs,
      })
      reply.raw.once('close', () => call.destroy())
      call.once('timeout', () => call.destroy(new Error('The other server is silent')))
      call.once('response', resolve)
      call.once('error', reject)
      // A broken or early-answered upload shows as the call's own error or answer.
      pipeline(request.raw, call, () => undefined)
    })

  const forward = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const answer = await ask(request, reply).catch((error: unknown) => {
      request.log.warn({ err: error }, 'the other server does not answer')
      throw unavailable()
    })
    const own = { origin: `${request.protocol}://${request.host}`, isHttps: request.protocol === 'https' }
    reply.hijack()
    for (const [name, value] of ourHeaders(answer.headers, own, upstream)) reply.raw.setHeader(name, value)
    reply.raw.statusCode = answer.statusCode ?? 502
    reply.raw.flushHeaders()
    pipeline(answer, reply.raw, (error) => {
      if (error != null) request.log.debug({ err: error }, 'an answer broke off')
    })
    return reply
  }

  return { forward, close: () => agent.destroy() }
}

/** Serves the console and passes /v1 on to another server: no embedded server, no database, no ffmpeg. */
export const buildProxy = async (options: ProxyOptions): Promise<App> => {
  const configuration = options.configuration ?? {}
  const app: App = fastify({
    ...transport(options.tls, 0),
    logger: loggerOptions(options.logLevel ?? 'silent'),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    frameworkErrors: answerError,
    clientErrorHandler: answerUnparsed,
    requestTimeout: 0,
    trustProxy: options.trustProxy ?? false,
    routerOptions: { maxParamLength: 2000 },
  }).withTypeProvider<ZodTypeProvider>()
  if (options.tls !== undefined) endConnectionsOnClose(app)
  const stopReports = onFault(({ place, error }) => app.log.error({ err: error, place }, 'a fault was contained'))
  app.addHook('onClose', () => void stopReports())
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerNoRoute)
  await installGuard(app, configuration)
  await app.register(async (scope) => consoleRoutes(scope, { distDir: resolve(options.distDir), configuration }))
  await app.register(async (scope) => {
    const { forward, close } = createForward(options.upstream)
    scope.addHook('onClose', () => close())
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all('/v1/*', { schema: { hide: true } }, forward)
  })
  await app.ready()
  return app
}
