import type { FastifyReply, FastifyRequest } from 'fastify'
import { dayMs } from '../durations.ts'
import { createHostCookie } from '../http/host-cookie.ts'

const keptMs = 90 * dayMs
const cookie = createHostCookie('signed-out')

/** Sets a cookie after a sign-out, so that the provider doesn't sign the next user in without asking. */
export const noteSignOut = (request: FastifyRequest, reply: FastifyReply): void =>
  cookie.set(request, reply, '1', keptMs)

export const hasSignedOut = (request: FastifyRequest): boolean => cookie.read(request) !== undefined

export const forgetSignOut = (request: FastifyRequest, reply: FastifyReply): void => cookie.clear(request, reply)
