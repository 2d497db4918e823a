import { CameraFailure, type CameraClient } from './client.ts'
import { deviceNamespace } from './soap.ts'
import { childrenOf, find, plainText, type Element } from './xml.ts'

const namespaces = {
  media: 'http://www.onvif.org/ver10/media/wsdl',
  /** The only media service with H.265. */
  media2: 'http://www.onvif.org/ver20/media/wsdl',
  ptz: 'http://www.onvif.org/ver20/ptz/wsdl',
  events: 'http://www.onvif.org/ver10/events/wsdl',
} as const
type ServiceName = keyof typeof namespaces
export const namespaceOf = (name: ServiceName): string => namespaces[name]

/** The URLs of a camera's services, without those that it doesn't have. */
export type Services = Partial<Record<ServiceName, URL>>

/** For `catch`: undefined in place of a SOAP fault; other failures are rethrown. */
export const undefinedForFault = (error: unknown): undefined => {
  if (error instanceof CameraFailure && error.reason === 'The camera answered with a fault') return undefined
  throw error
}

/**
 * The URL of a service from its XAddr, always at the host that was called. The XAddr's port counts only if its host is
 * the same.
 */
export const serviceAt = (text: string, deviceUrl: URL): URL | undefined => {
  const named = URL.parse(text.trim())
  if (named === null || (named.protocol !== 'http:' && named.protocol !== 'https:')) return undefined
  const isSameHost = named.hostname === deviceUrl.hostname && named.protocol === deviceUrl.protocol
  // Not resolved as a reference: a path that begins with `//` would name another host.
  const url = new URL(isSameHost ? named.origin : deviceUrl.origin)
  url.pathname = named.pathname
  url.search = named.search
  return url
}

const capabilityOf = { media: 'Media', ptz: 'PTZ', events: 'Events' } as const

const byCapabilities = (capabilities: Element | undefined, deviceUrl: URL): Services => {
  const services: Services = {}
  for (const name of ['media', 'ptz', 'events'] as const) {
    const url = serviceAt(find(capabilities, capabilityOf[name], 'XAddr')?.text ?? '', deviceUrl)
    if (url !== undefined) services[name] = url
  }
  return services
}

/** Cameras without GetServices list theirs among the capabilities. */
export const servicesOf = async (call: CameraClient, deviceUrl: URL): Promise<Services> => {
  const includes = '<IncludeCapability>false</IncludeCapability>'
  const answer = await call(deviceUrl, `<GetServices xmlns="${deviceNamespace}">${includes}</GetServices>`).catch(
    undefinedForFault,
  )
  const listed = childrenOf(answer, 'Service')
  const services: Services = {}
  for (const name of ['media', 'media2', 'ptz', 'events'] as const) {
    const service = listed.find((each) => plainText(find(each, 'Namespace')?.text) === namespaces[name])
    const url = serviceAt(find(service, 'XAddr')?.text ?? '', deviceUrl)
    if (url !== undefined) services[name] = url
  }
  if (services.media !== undefined || services.media2 !== undefined) return services
  const request = `<GetCapabilities xmlns="${deviceNamespace}"><Category>All</Category></GetCapabilities>`
  return byCapabilities(find(await call(deviceUrl, request), 'Capabilities'), deviceUrl)
}
