import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { secretLength } from '../../src/api/contract/alerts.ts'
import { bareHostOf } from '../media/address.ts'
import { UsageError, whyUnreadable } from '../usage-error.ts'

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
  /** The files that `ca` and `certificate` were read from. */
  files?: CertificateFiles
}

type Certificates = Pick<MqttOptions, 'ca' | 'certificate'>
type CertificateFiles = Partial<Record<'MQTT_CA' | 'MQTT_CERT' | 'MQTT_KEY', string>>
type Address = Omit<MqttOptions, 'topic' | 'secret' | 'files' | keyof Certificates>

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

const addressOf = (text: string): Address | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^mqtts?:$/.test(url.protocol) || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return undefined
  const isSecure = url.protocol === 'mqtts:'
  try {
    return {
      host: bareHostOf(url),
      port: url.port === '' ? (isSecure ? 8883 : 1883) : Number(url.port),
      isSecure,
      login: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    }
  } catch {
    // A `%` that encodes nothing, as in `%x`.
    return undefined
  }
}

type Name = 'MQTT_URL' | 'MQTT_TOPIC' | 'MQTT_SECRET' | 'MQTT_CA' | 'MQTT_CERT' | 'MQTT_KEY'

const read = (name: Name, file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${name}: ${whyUnreadable(file, error)}`)
  }
}

/** The text of a file that has `what`; `check` throws for any other text. */
const pemOf = (name: Name, file: string, what: string, check: (pem: string) => unknown): string => {
  const pem = read(name, file)
  try {
    check(pem)
    // Node takes an empty text for none.
    if (pem !== '') return pem
  } catch {
    // Handled like an empty file.
  }
  throw new UsageError(`${name} takes a file with ${what} (PEM)`)
}

const certificatesOf = (name: Name, file: string): string =>
  pemOf(name, file, 'certificates', (pem) => createSecureContext({ ca: pem, cert: pem }))

const certificateOf = (certFile: string, keyFile: string): NonNullable<MqttOptions['certificate']> => {
  const cert = certificatesOf('MQTT_CERT', certFile)
  return { cert, key: pemOf('MQTT_KEY', keyFile, 'the key of MQTT_CERT', (key) => createSecureContext({ cert, key })) }
}

const certificatesIn = ({ MQTT_CA: ca, MQTT_CERT: cert, MQTT_KEY: key }: CertificateFiles): Certificates => ({
  ...(ca === undefined ? {} : { ca: certificatesOf('MQTT_CA', ca) }),
  ...(cert === undefined || key === undefined ? {} : { certificate: certificateOf(cert, key) }),
})

/** With what the files have now. Throws `UsageError` if that can't be used, as while they are being written. */
export const withRenewedFiles = (options: MqttOptions): MqttOptions => ({
  ...options,
  ...certificatesIn(options.files ?? {}),
})

/** Undefined without `MQTT_URL`. A wrong URL isn't shown, as it may have a password. */
export const mqttOf = (given: Readonly<Record<Name, string | undefined>>): MqttOptions | undefined => {
  const { MQTT_URL: url, MQTT_TOPIC: topic, MQTT_SECRET: secret } = given
  const { MQTT_CA: ca, MQTT_CERT: cert, MQTT_KEY: key } = given
  if (url === undefined) {
    const [name] = Object.entries(given).find(([, text]) => text !== undefined) ?? []
    if (name !== undefined) throw new UsageError(`${name} needs MQTT_URL`)
    return undefined
  }
  const broker = addressOf(url)
  if (broker === undefined) throw new UsageError('MQTT_URL takes an address like mqtts://user:password@host:8883')
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('MQTT_CERT and MQTT_KEY must be set together')
  if (!broker.isSecure && (ca ?? cert) !== undefined) {
    throw new UsageError('MQTT_CA and MQTT_CERT need an MQTT_URL that begins with mqtts:')
  }
  const files: CertificateFiles = {
    ...(ca === undefined ? {} : { MQTT_CA: ca }),
    ...(cert === undefined || key === undefined ? {} : { MQTT_CERT: cert, MQTT_KEY: key }),
  }
  return {
    ...broker,
    topic: topicOf(topic ?? defaultTopic),
    ...(secret === undefined ? {} : { secret: secretOf(secret) }),
    ...(Object.keys(files).length === 0 ? {} : { files, ...certificatesIn(files) }),
  }
}
