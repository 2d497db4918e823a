import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

/** The events that an alert may report (docs/wire.md §6.2). */
export const eventWords: Readonly<Record<string, MessageDescriptor>> = {
  'stream.failed': msg`A camera fails`,
  'stream.recovered': msg`A camera recovers`,
  'disk.full': msg`A disk is nearly full or not writable`,
  'node.lost': msg`A node or the database can't be reached`,
  event: msg`A detector reports an event`,
}

export const channelWords: Readonly<Record<string, MessageDescriptor>> = {
  mail: msg`Email`,
  webhook: msg`Webhook`,
  push: msg`Push`,
}

/** Why a message wasn't sent. */
const reasons: Readonly<Record<string, MessageDescriptor>> = {
  NO_MAIL_SERVER: msg`no mail server is set in the configuration`,
  MAIL_REFUSED: msg`the mail server refuses this address`,
  MAIL_FAILED: msg`the mail server didn't accept the message: see the server's log`,
  EHOSTUNREACH: msg`nothing answers at this address`,
  ACCESS_DENIED_ERR: msg`this address may not be used`,
  CERTIFICATE_REFUSED: msg`the certificate is not trusted`,
  CONNECTION_LOST: msg`the connection was lost`,
  TIMED_OUT: msg`no answer in time`,
  PUSH_ENDED: msg`the browser no longer accepts messages`,
  ADDRESS_REMOVED: msg`the address or the alert was removed`,
  TOO_MANY: msg`too many messages were waiting`,
  LOGIN_REFUSED: msg`the broker rejects the login or password`,
  PROTOCOL_REFUSED: msg`the broker doesn't support this version of MQTT: 5 with MQTT_SECRET, otherwise 3.1.1`,
  MESSAGE_REFUSED: msg`the broker refuses the message`,
  CERTIFICATE_EXPIRED: msg`the certificate has expired or isn't valid yet`,
  CERTIFICATE_NAME: msg`the certificate is for another name`,
  CLIENT_CERTIFICATE_REFUSED: msg`the broker requires another certificate of this server`,
  REPLACED: msg`a newer state was published instead`,
}

/** The text for a key; an unknown key is shown as received. */
export function useWords(): (words: Readonly<Record<string, MessageDescriptor>>, key: string) => string {
  const { i18n } = useLingui()
  return (words, key) => {
    const known = Object.hasOwn(words, key) ? words[key] : undefined
    return known === undefined ? key : i18n._(known)
  }
}

export function useFailure(): (reason: string) => string {
  const words = useWords()
  return (reason) => words(reasons, reason)
}

/** A push address is a browser's subscription (JSON): only the origin of its URL, the vendor's service, is shown. */
export const addressWords = (kind: string, address: string): string =>
  kind === 'push' ? (/https:\/\/[^/"]+/.exec(address)?.[0] ?? address) : address
