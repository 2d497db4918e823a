import { bracketed, decoded, originAt } from '../media/source.ts'
import { childrenOf, type Element, find, parseXml, plainText } from './xml.ts'

export type FoundDevice = { id: string; address: string; host: string; name: string; model: string; location: string }

const addressing = 'http://schemas.xmlsoap.org/ws/2004/08/addressing'
const discovery = 'http://schemas.xmlsoap.org/ws/2005/04/discovery'
const maxMatches = 16
const maxLength = 500

/** A WS-Discovery probe for network video transmitters. */
export const probeMessage = (id: string): string =>
  '<?xml version="1.0" encoding="UTF-8"?>' +
  `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="${addressing}"><s:Header>` +
  `<a:Action s:mustUnderstand="1">${discovery}/Probe</a:Action><a:MessageID>urn:uuid:${id}</a:MessageID>` +
  `<a:ReplyTo><a:Address>${addressing}/role/anonymous</a:Address></a:ReplyTo>` +
  '<a:To s:mustUnderstand="1">urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To></s:Header>' +
  `<s:Body><Probe xmlns="${discovery}"><Types xmlns:dn="http://www.onvif.org/ver10/network/wsdl">` +
  'dn:NetworkVideoTransmitter</Types></Probe></s:Body></s:Envelope>'

const wordsIn = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter((word) => word !== '')

/** `onvif://www.onvif.org/name/Gate`: the values of a scope. */
const scopeOf = (scopes: readonly string[], name: string): string => {
  const start = `onvif://www.onvif.org/${name}/`
  const values = scopes
    .filter((scope) => scope.toLowerCase().startsWith(start))
    .map((scope) => plainText(decoded(scope.slice(start.length))).replaceAll('_', ' '))
  return plainText(values.filter((value) => value !== '').join(', '))
}

/** The URL of the device service: the first XAddr with the sender's host, or else the first one, at that host. */
const deviceAddress = (xAddrs: readonly string[], sender: string): string | undefined => {
  const urls = xAddrs
    .flatMap((text) => URL.parse(text) ?? [])
    .filter(({ protocol, href }) => /^https?:$/.test(protocol) && href.length <= maxLength)
  const [url] = [...urls.filter(({ hostname }) => hostname === bracketed(sender)), ...urls]
  if (url === undefined) return undefined
  return `${originAt(url, sender)}${url.pathname}`
}

const deviceOf = (match: Element, sender: string): FoundDevice | undefined => {
  const address = deviceAddress(wordsIn(find(match, 'XAddrs')?.text).slice(0, maxMatches), sender)
  if (address === undefined) return undefined
  const scopes = wordsIn(find(match, 'Scopes')?.text)
  return {
    id: plainText(find(match, 'EndpointReference', 'Address')?.text) || address,
    address,
    host: sender,
    name: scopeOf(scopes, 'name'),
    model: scopeOf(scopes, 'hardware'),
    location: scopeOf(scopes, 'location'),
  }
}

/** The devices in an answer to the probe with this id; none if the message isn't one. */
export const readMatches = (message: string, id: string, sender: string): FoundDevice[] => {
  const root = parseXml(message)
  if (find(root, 'Header', 'RelatesTo')?.text.includes(id) !== true) return []
  return childrenOf(find(root, 'Body', 'ProbeMatches'), 'ProbeMatch')
    .slice(0, maxMatches)
    .flatMap((match) => deviceOf(match, sender) ?? [])
}
