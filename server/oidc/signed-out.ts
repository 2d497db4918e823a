import type { FastifyReply, FastifyRequest } from 'fastify'
import { dayMs } from '../durations.ts'

/** `__Host-` needs HTTPS (docs/wire.md §3). */
const nameOf = (request: FastifyRequest): string => (request.protocol === 'https' ? '__Host-signed-out' : 'signed-out')

const optionsOf = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' }) as const

/** Sets a cookie after a sign-out, so that the provider doesn't sign the next user in without asking. */
export const noteSignOut = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.setCookie(nameOf(request), '1', { ...optionsOf(request), maxAge: (90 * dayMs) / 1000 })
}

export const hasSignedOut = (request: FastifyRequest): boolean => request.cookies[nameOf(request)] !== undefined

export const forgetSignOut = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.clearCookie(nameOf(request), optionsOf(request))
}
