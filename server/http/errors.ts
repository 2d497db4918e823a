import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { constantHeaders } from './guard.ts'
import { Refusal, notFound, requestDecodeError, tooManyRequests, validationError } from './refusal.ts'

const send = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds))
  reply.header('cache-control', 'no-store')
  reply.type('application/json; charset=utf-8')
  return reply.code(refusal.status).serializer(JSON.stringify).send({
    code: refusal.code,
    ...(refusal.message === '' ? {} : { message: refusal.message }),
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
  })
}

/** `/archive/isEnable` → `archive.isEnable`; the whole body → `body`. */
const fieldPath = (instancePath: string): string => instancePath.slice(1).split('/').join('.') || 'body'

/** The refusal that an error is answered with; undefined where it is a failure of the server. */
export const refusalOf = (error: FastifyError): Refusal | undefined => {
  if (error instanceof Refusal) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    if (error.validationContext === 'body' && error.validation.every((issue) => issue.instancePath === '/')) {
      return requestDecodeError('The body must be a JSON object')
    }
    const details: Record<string, string> = {}
    for (const issue of error.validation) details[fieldPath(issue.instancePath)] ??= issue.message ?? 'Invalid'
    return validationError(details)
  }
  const status = error.statusCode ?? 500
  if (status === 404) return notFound()
  if (status === 429) return tooManyRequests(60)
  if (status >= 400 && status < 500) return requestDecodeError()
  return undefined
}

/** The one place where a failure becomes an answer: `{code, message?, details?}`, never a stack or another program's words. */
export const answerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const refusal = refusalOf(error)
  if (refusal !== undefined) return send(reply, refusal)
  request.log.error({ err: error }, 'unexpected error')
  return send(reply, new Refusal(500, 'InternalServerError'))
}

/** For an address that can't be read: no hook runs before this answer, so that the guard's headers are given here. */
export const answerUnreadable = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  answerError(error, request, reply.headers({ ...constantHeaders, 'content-security-policy': "default-src 'none';frame-ancestors 'none'" }))

export const answerNoRoute = (_request: FastifyRequest, reply: FastifyReply): FastifyReply => send(reply, notFound())
