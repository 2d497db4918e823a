import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { secretLength } from '../../src/api/contract/alerts.ts'
import { bareHostOf } from '../media/address.ts'
import { UsageError } from '../usage-error.ts'

/** The broker. `topic`: what all topics begin with. */
export type MqttOptions = {
  host: string
  port: number
  isSecure: boolean
  /** Empty: connects without login and password. */
  login: string
  password: string
  topic: string
  /** Signs the messages, by MQTT 5. */
  secret?: string
  /** Certificates (PEM) of authorities that are trusted besides the known ones. */
  ca?: string
  /** The client certificate (PEM), for a broker that asks for one. */
  certificate?: { cert: string; key: string }
}

type Address = Omit<MqttOptions, 'topic' | 'secret' | 'ca' | 'certificate'>

const maxTopicLength = 100
const defaultTopic = 'sightline'

const topicOf = (text: string): string => {
  const isTopic = /^[^\s#+/$\p{Cc}][^\s#+/\p{Cc}]*(?:\/[^\s#+/\p{Cc}]+)*$/u.test(text) && text.length <= maxTopicLength
  if (isTopic) return text
  throw new UsageError('MQTT_TOPIC takes names separated by slashes, like site/cameras')
}

const secretOf = (text: string): string => {
  const { min, max } = secretLength
  if (text.length >= min && text.length <= max) return text
  throw new UsageError(`MQTT_SECRET takes ${min} to ${max} characters`)
}

/** Throws a URIError for a text like `%x`. */
const parse = (text: string): Address | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^mqtts?:$/.test(url.protocol) || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return undefined
  const isSecure = url.protocol === 'mqtts:'
  return {
    host: bareHostOf(url),
    port: url.port === '' ? (isSecure ? 8883 : 1883) : Number(url.port),
    isSecure,
    login: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  }
}

const parsed = (text: string): Address | undefined => {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

type Name = 'MQTT_URL' | 'MQTT_TOPIC' | 'MQTT_SECRET' | 'MQTT_CA' | 'MQTT_CERT' | 'MQTT_KEY'

const fileOf = (name: Name, file: string, isUsable: (pem: string) => boolean): string => {
  try {
    const pem = readFileSync(file, 'utf8')
    if (isUsable(pem)) return pem
  } catch {
    // Handled like a file without a usable certificate or key.
  }
  throw new UsageError(
    `${name} takes a file with ${name === 'MQTT_KEY' ? 'the key of MQTT_CERT' : 'certificates'} (PEM)`,
  )
}

const isCertificate = (pem: string): boolean => {
  // Throws if the text isn't a certificate.
  createSecureContext({ ca: pem, cert: pem })
  return true
}

const certificateOf = (certFile: string, keyFile: string): NonNullable<MqttOptions['certificate']> => {
  const cert = fileOf('MQTT_CERT', certFile, isCertificate)
  const fits = (key: string): boolean => {
    // Throws if key and certificate don't match.
    createSecureContext({ cert, key })
    return true
  }
  return { cert, key: fileOf('MQTT_KEY', keyFile, fits) }
}

/** Undefined without `MQTT_URL`. A wrong URL isn't shown, as it may have a password. */
export const mqttOf = (given: Readonly<Record<Name, string | undefined>>): MqttOptions | undefined => {
  const { MQTT_URL: url, MQTT_TOPIC: topic, MQTT_SECRET: secret } = given
  const { MQTT_CA: ca, MQTT_CERT: cert, MQTT_KEY: key } = given
  if (url === undefined) {
    const [name] = Object.entries(given).find(([, text]) => text !== undefined) ?? []
    if (name !== undefined) throw new UsageError(`${name} needs MQTT_URL`)
    return undefined
  }
  const broker = parsed(url)
  if (broker === undefined) throw new UsageError('MQTT_URL takes an address like mqtts://user:password@host:8883')
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('MQTT_CERT and MQTT_KEY must be set together')
  if (!broker.isSecure && (ca ?? cert) !== undefined) {
    throw new UsageError('MQTT_CA and MQTT_CERT need an MQTT_URL that begins with mqtts:')
  }
  return {
    ...broker,
    topic: topicOf(topic ?? defaultTopic),
    ...(secret === undefined ? {} : { secret: secretOf(secret) }),
    ...(ca === undefined ? {} : { ca: fileOf('MQTT_CA', ca, isCertificate) }),
    ...(cert === undefined || key === undefined ? {} : { certificate: certificateOf(cert, key) }),
  }
}
