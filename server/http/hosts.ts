import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { App } from './fastify.ts'
import { ApiError } from './api-error.ts'
import type { Tls } from './tls.ts'

/** `names`: those that it comes out at. */
type TunnelEnd = { names: () => readonly string[]; isOpen: () => boolean }

export type Hosts = {
  isAllowed: (name: string) => boolean
  /** Whether a tunnel is open, whose visitors come from this machine, under any name. */
  hasTunnel: () => boolean
  /** Allows one more name. */
  allow: (name: string) => void
  addTunnel: (tunnel: TunnelEnd) => void
  /** Allows the names of a renewed certificate instead of those of the previous one. */
  useCertificate: (tls: Tls) => void
}

const maxWarned = 100

/** The name in a Host header, as browsers parse it; undefined if invalid. */
export const hostNameOf = (header: string): string | undefined => {
  const url = URL.parse(`http://${header}`)
  if (url === null || url.hostname === '') return undefined
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export const isLoopbackName = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost')

/** Protects against DNS rebinding (docs/server.md). `*.example.org` matches one label. */
export const createHosts = (names: readonly string[], tls: Tls | undefined): Hosts => {
  const own = hostname().toLowerCase()
  const [short = ''] = own.split('.')
  const fixed = new Set([own, short, `${short}.local`, ...names].map((name) => name.toLowerCase()))
  let certificate = tls === undefined ? undefined : new X509Certificate(tls.cert)
  const tunnels: TunnelEnd[] = []
  const isTunnel = (name: string): boolean => tunnels.some(({ names: list }) => list().includes(name))
  return {
    isAllowed: (name) =>
      isIP(name) !== 0 ||
      isLoopbackName(name) ||
      fixed.has(name) ||
      fixed.has(name.replace(/^[^.]+/, '*')) ||
      certificate?.checkHost(name) !== undefined ||
      isTunnel(name),
    hasTunnel: () => tunnels.some(({ isOpen }) => isOpen()),
    allow: (name) => {
      fixed.add(name)
    },
    addTunnel: (tunnel) => {
      tunnels.push(tunnel)
    },
    useCertificate: ({ cert }) => {
      certificate = new X509Certificate(cert)
    },
  }
}

/** Every host name in a request, also the one that a trusted proxy forwards. */
const namesOf = (request: FastifyRequest): Set<string> => {
  const { headers, url } = request.raw
  const { host } = headers
  const authority = headers[':authority']
  const absolute = url?.startsWith('/') === false ? URL.parse(url)?.host : undefined
  // A request by HTTP/1.0 may name no host; browsers don't use it.
  const given = [host, authority, absolute, request.host].filter((name) => typeof name === 'string')
  return new Set(given.filter((name) => name !== ''))
}

export const installHosts = (app: App, hosts: Hosts): void => {
  const warned = new Set<string>()
  app.addHook('onRequest', async (request, reply) => {
    for (const header of namesOf(request)) {
      const name = hostNameOf(header)
      if (name !== undefined && hosts.isAllowed(name)) continue
      const shown = (name ?? header).slice(0, 253)
      const message = `This server doesn't answer to the name "${shown}": add it to ALLOWED_HOSTS`
      if (!warned.has(shown) && warned.size < maxWarned) {
        warned.add(shown)
        request.log.warn(message)
      }
      if (request.url.startsWith('/v1/')) throw new ApiError(421, 'Forbidden', { message })
      return reply.code(421).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${message}\n`)
    }
    return undefined
  })
}
