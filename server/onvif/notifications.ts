import { childrenOf, find, plainText, type Element } from './xml.ts'

export type Notification = {
  label: string
  /** Distinguishes rules, inputs and sources with the same label. */
  key: string
  /** The digital input, for which there are several of one camera; otherwise ''. */
  input: string
  /** Undefined: a single moment. */
  isOn: boolean | undefined
  /** The state at the start of a subscription, and not a change. */
  isInitial: boolean
  /** By the camera's clock, epoch milliseconds. */
  time: number | undefined
  /** Which of the camera's video it is about. */
  sources: readonly string[]
}

/** `state`: the item of the message with the state, in lower case; '' if each message is an event of its own. */
type Rule = { topic: string; label: string; state: string }

const rules: readonly Rule[] = [
  { topic: 'VideoSource/MotionAlarm', label: 'motion', state: 'state' },
  { topic: 'RuleEngine/CellMotionDetector/Motion', label: 'motion', state: 'ismotion' },
  { topic: 'RuleEngine/MotionRegionDetector/Motion', label: 'motion', state: 'state' },
  { topic: 'RuleEngine/LineDetector/Crossed', label: 'line crossing', state: '' },
  { topic: 'RuleEngine/FieldDetector/ObjectsInside', label: 'intrusion', state: 'isinside' },
  { topic: 'Device/Trigger/DigitalInput', label: 'digital input', state: 'logicalstate' },
  { topic: 'AudioAnalytics/Audio/DetectedSound', label: 'sound', state: 'issounddetected' },
]

export const maxNotifications = 20

/** A topic without the prefixes, which devices choose: `tns1:VideoSource/MotionAlarm`. */
const topicOf = (text: string): string =>
  plainText(text)
    .split('/')
    .map((part) => part.slice(part.indexOf(':') + 1))
    .join('/')

const itemsOf = (element: Element | undefined): [name: string, value: string][] =>
  childrenOf(element, 'SimpleItem')
    .slice(0, 16)
    .map(({ attributes }) => [plainText(attributes.get('Name')), plainText(attributes.get('Value'))])

export const timeOf = (text: string | undefined): number | undefined => {
  const time = Date.parse(plainText(text))
  return Number.isFinite(time) ? time : undefined
}

const notificationOf = (element: Element): Notification | undefined => {
  const rule = rules.find(({ topic }) => topic === topicOf(find(element, 'Topic')?.text ?? ''))
  const message = find(element, 'Message', 'Message')
  if (rule === undefined || message === undefined) return undefined
  const source = itemsOf(find(message, 'Source'))
  const state = itemsOf(find(message, 'Data')).find(([name]) => name.toLowerCase() === rule.state)?.[1]
  if (rule.state !== '' && state === undefined) return undefined
  const operation = message.attributes.get('PropertyOperation')
  return {
    label: rule.label,
    key: [rule.topic, ...source.map(([name, value]) => `${name}=${value}`)].join(' ').slice(0, 500),
    input: rule.label === 'digital input' ? source.map(([, value]) => value).join(' ') : '',
    isOn: state === undefined ? undefined : /^(true|1)$/i.test(state) && operation !== 'Deleted',
    isInitial: operation === 'Initialized',
    time: timeOf(message.attributes.get('UtcTime')),
    sources: source.filter(([name]) => /^(video)?source/i.test(name)).map(([, value]) => value),
  }
}

/** The notifications in an answer to PullMessages whose topic is known. */
export const notificationsOf = (answer: Element): Notification[] =>
  childrenOf(answer, 'NotificationMessage')
    .slice(0, maxNotifications)
    .flatMap((each) => notificationOf(each) ?? [])

/** `cameraNow`: the camera's clock in the same answer. */
type Clocks = { arrivedAt: number; cameraNow: number | undefined }

const maxSkewMs = 2000
const maxAgeMs = 60_000

/**
 * When a notification's event happened: at the time that it names if the camera's clock is right; otherwise as long
 * before the arrival as it is old by the camera's clock; without a usable time, on arrival.
 */
export const happenedAt = ({ time, isInitial }: Notification, { arrivedAt, cameraNow }: Clocks): number => {
  if (time === undefined || isInitial) return arrivedAt
  const isRight = Math.abs((cameraNow ?? time) - arrivedAt) <= maxSkewMs
  const age = isRight ? arrivedAt - time : (cameraNow ?? time) - time
  return age >= 0 && age <= maxAgeMs ? arrivedAt - age : arrivedAt
}
