import { LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { IncomingMessage } from 'node:http'
import { withoutBasePath } from './base-path.ts'
import { answerError, answerNoRoute, answerUnparsed } from './errors.ts'
import type { App } from './fastify.ts'
import { newRequestId } from './log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The path below which a proxy puts this server, such as `/cameras`; '' where there is none. */
    basePath: string
  }
}

/** The options of fastify that the embedded server and the proxy share. `rewrite`: of URLs without the base path. */
export const baseOptions = (basePath: string, rewrite = (url: string): string => url) => ({
  rewriteUrl: ({ url = '' }: Pick<IncomingMessage, 'url'>) => rewrite(withoutBasePath(url, basePath)),
  genReqId: newRequestId,
  logController: new LogController({ disableRequestLogging: true }),
  forceCloseConnections: true,
  frameworkErrors: answerError,
  clientErrorHandler: answerUnparsed,
})

/** Schemas of zod, and errors as `{code, message?, details?}`. */
export const installBase = (app: App, basePath: string): void => {
  app.decorate('basePath', basePath)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerNoRoute)
}
