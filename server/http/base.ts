import { LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { answerError, answerNoRoute, answerUnparsed } from './errors.ts'
import type { App } from './fastify.ts'
import { newRequestId } from './log.ts'

/** The options of fastify that the embedded server and the proxy share. */
export const baseOptions = () => ({
  genReqId: newRequestId,
  logController: new LogController({ disableRequestLogging: true }),
  forceCloseConnections: true,
  frameworkErrors: answerError,
  clientErrorHandler: answerUnparsed,
})

/** Schemas of zod, and errors as `{code, message?, details?}`. */
export const installBase = (app: App): void => {
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerNoRoute)
}
