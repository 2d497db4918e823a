import { bareHostOf } from '../media/address.ts'
import { UsageError } from '../usage-error.ts'

/** The broker, and `topic`, with which all topics begin. */
export type MqttOptions = {
  host: string
  port: number
  isSecure: boolean
  /** Without a login the broker is asked anonymously. */
  login: string
  password: string
  topic: string
}

const maxTopicLength = 100
const defaultTopic = 'sightline'

const topicOf = (text: string): string => {
  const isTopic = /^[^\s#+/$\p{Cc}][^\s#+/\p{Cc}]*(?:\/[^\s#+/\p{Cc}]+)*$/u.test(text) && text.length <= maxTopicLength
  if (isTopic) return text
  throw new UsageError('MQTT_TOPIC takes names separated by slashes, like site/cameras')
}

/** Throws a URIError for a text like `%x`. */
const parse = (text: string): Omit<MqttOptions, 'topic'> | undefined => {
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

const parsed = (text: string): Omit<MqttOptions, 'topic'> | undefined => {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** Undefined without `MQTT_URL`. A wrong URL isn't shown, as it may have a password. */
export const mqttOf = (url: string | undefined, topic: string | undefined): MqttOptions | undefined => {
  if (url === undefined && topic === undefined) return undefined
  if (url === undefined) throw new UsageError('MQTT_TOPIC needs MQTT_URL')
  const broker = parsed(url)
  if (broker === undefined) throw new UsageError('MQTT_URL takes an address like mqtts://user:password@host:8883')
  return { ...broker, topic: topicOf(topic ?? defaultTopic) }
}
