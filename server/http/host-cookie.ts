import type { FastifyReply, FastifyRequest } from 'fastify'

type Request = Pick<FastifyRequest, 'protocol' | 'cookies'>

/**
 * A cookie of this host alone, which scripts can't read. By default it is lax, as browsers come back from the site of
 * the provider of single sign-on.
 */
export const createHostCookie = (name: string, sameSite: 'lax' | 'strict' = 'lax') => {
  /** `__Host-` needs HTTPS (docs/wire.md §3). */
  const nameFor = ({ protocol }: Request): string => (protocol === 'https' ? `__Host-${name}` : name)
  const optionsFor = ({ protocol }: Request) =>
    ({ path: '/', httpOnly: true, sameSite, secure: protocol === 'https' }) as const

  return {
    read: (request: Request): string | undefined => request.cookies[nameFor(request)],
    set: (request: Request, reply: FastifyReply, value: string, lifetimeMs: number): void => {
      reply.setCookie(nameFor(request), value, { ...optionsFor(request), maxAge: lifetimeMs / 1000 })
    },
    clear: (request: Request, reply: FastifyReply): void => {
      reply.clearCookie(nameFor(request), optionsFor(request))
    },
  }
}
