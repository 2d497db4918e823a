/** Why there is no connection, and the words for the log; the console has its own. */
const failures = {
  LOGIN_REFUSED: 'the broker refuses the login',
  PROTOCOL_REFUSED: 'the broker does not support this version of MQTT: 5 with MQTT_SECRET, otherwise 3.1.1',
  MESSAGE_REFUSED: 'the broker refuses the message',
  CERTIFICATE_REFUSED: 'the certificate is not trusted',
  CERTIFICATE_EXPIRED: 'the certificate has expired',
  CERTIFICATE_NAME: 'the certificate is for another name',
  CLIENT_CERTIFICATE_REFUSED: 'the broker requires another certificate of this server',
  EHOSTUNREACH: 'nothing answers at the address',
  TIMED_OUT: 'the broker does not answer in time',
  CONNECTION_LOST: 'the connection was closed',
} as const
export type MqttFailure = keyof typeof failures

const byCode: Readonly<Record<string, MqttFailure>> = {
  CERT_HAS_EXPIRED: 'CERTIFICATE_EXPIRED',
  CERT_NOT_YET_VALID: 'CERTIFICATE_EXPIRED',
  ERR_TLS_CERT_ALTNAME_INVALID: 'CERTIFICATE_NAME',
  ECONNREFUSED: 'EHOSTUNREACH',
  EHOSTUNREACH: 'EHOSTUNREACH',
  ENETUNREACH: 'EHOSTUNREACH',
  ENOTFOUND: 'EHOSTUNREACH',
  EAI_AGAIN: 'EHOSTUNREACH',
  ETIMEDOUT: 'TIMED_OUT',
}

/** What brokers answer: MQTT 3.1.1 §3.2.2.3, MQTT 5 §3.2.2.2. One that doesn't know MQTT 5 answers 1 to it. */
const byAnswer: Readonly<Record<number, MqttFailure>> = {
  1: 'PROTOCOL_REFUSED',
  4: 'LOGIN_REFUSED',
  5: 'LOGIN_REFUSED',
  132: 'PROTOCOL_REFUSED',
  134: 'LOGIN_REFUSED',
  135: 'LOGIN_REFUSED',
}

export const failureOf = (error: Error): MqttFailure => {
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'number') return byAnswer[code] ?? 'CONNECTION_LOST'
  if (typeof code !== 'string') return /timeout/i.test(error.message) ? 'TIMED_OUT' : 'CONNECTION_LOST'
  const known = byCode[code]
  if (known !== undefined) return known
  if (/^ERR_SSL_.*ALERT.*CERTIFICATE/.test(code)) return 'CLIENT_CERTIFICATE_REFUSED'
  return /CERT|ISSUER|SIGNATURE/.test(code) ? 'CERTIFICATE_REFUSED' : 'CONNECTION_LOST'
}

/** Whether the broker refused a message (MQTT 5 §3.4.2.1); without a number the connection was lost. */
export const isRefusal = (error: Error): boolean => 'code' in error && typeof error.code === 'number'

export const wordsOf = (failure: MqttFailure): string => failures[failure]
