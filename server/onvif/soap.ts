import { createHash, randomBytes } from 'node:crypto'
import type { Credentials } from '../media/authorization.ts'
import { type Element, escapeXml, find, parseXml } from './xml.ts'

/** The namespace of the device service, which lists the other services. */
export const deviceNamespace = 'http://www.onvif.org/ver10/device/wsdl'
const security = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss'

export const envelope = (body: string, header = ''): string =>
  '<?xml version="1.0" encoding="UTF-8"?>' +
  `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope">` +
  (header === '' ? '' : `<s:Header>${header}</s:Header>`) +
  `<s:Body>${body}</s:Body></s:Envelope>`

/**
 * A UsernameToken with a digest (WS-Security UsernameToken Profile 1.0). `time`: epoch milliseconds by the camera's
 * clock, as cameras refuse tokens of another time.
 */
export const usernameToken = ({ username, password }: Credentials, time: number): string => {
  const nonce = randomBytes(16)
  const created = new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
  const digest = createHash('sha1').update(nonce).update(created).update(password).digest('base64')
  return (
    `<Security s:mustUnderstand="1" xmlns="${security}-wssecurity-secext-1.0.xsd"><UsernameToken>` +
    `<Username>${escapeXml(username)}</Username>` +
    `<Password Type="${security}-username-token-profile-1.0#PasswordDigest">${digest}</Password>` +
    `<Nonce EncodingType="${security}-soap-message-security-1.0#Base64Binary">${nonce.toString('base64')}</Nonce>` +
    `<Created xmlns="${security}-wssecurity-utility-1.0.xsd">${created}</Created>` +
    '</UsernameToken></Security>'
  )
}

/** The first element in the body of an envelope; undefined if the text is no envelope. */
export const bodyOf = (text: string): Element | undefined => {
  const root = parseXml(text)
  return root?.name === 'Envelope' ? find(root, 'Body')?.children[0] : undefined
}

const allText = ({ text, children }: Element): string => text + children.map(allText).join(' ')

/** Whether a fault is about login, password or time. */
export const isUnauthorizedFault = (fault: Element): boolean =>
  /NotAuthorized|FailedAuthentication|InvalidSecurity|not authorized/i.test(allText(fault))
