import type { Alert, AlertDestination } from '../../api/contract/alerts.ts'
import { changedIn } from '../form/draft.ts'
import type { FieldErrors } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'

/** An address, as it is typed. `secret`: a new one; `hasSecret`: one is kept already. */
export interface DestinationValues {
  kind: string
  address: string
  secret: string
  hasSecret: boolean
}

/** The fields of an alert, named as on the wire; labels are separated by commas. Without an `id` it is new. */
export interface AlertValues {
  id: string
  name: string
  on: readonly string[]
  streams: readonly string[]
  labels: string
  quietMinutes: string
  to: readonly DestinationValues[]
}

export interface AlertBody {
  name: string
  on: readonly string[]
  streams: readonly string[]
  labels: readonly string[]
  quietMinutes: number
  to: readonly AlertDestination[]
}

/** What stands for a secret that is kept. */
const keptSecret = '***'

export const blankDestination: DestinationValues = { kind: 'mail', address: '', secret: '', hasSecret: false }
export const blankAlert: AlertValues = {
  id: '',
  name: '',
  on: ['stream.failed', 'stream.recovered'],
  streams: [],
  labels: '',
  quietMinutes: '10',
  to: [blankDestination],
}

export const alertValuesOf = ({ id, name, on, streams, labels, quietMinutes, to }: Alert): AlertValues => ({
  id,
  name,
  on,
  streams,
  labels: labels.join(', '),
  quietMinutes: String(quietMinutes),
  to: to.map(({ kind, address, secret = '' }) => ({ kind, address, secret: '', hasSecret: secret !== '' })),
})

const minutesOf = (text: string): number => (text.trim() === '' ? 0 : Number(text))

/** The server judges the addresses. */
export function validateAlert({ name, on, quietMinutes, to }: AlertValues): FieldErrors {
  const minutes = minutesOf(quietMinutes)
  const missing = to.flatMap(({ address }, index) =>
    address.trim() === '' ? [[`to.${index}.address`, 'required']] : [],
  )
  return {
    ...(name.trim() === '' ? { name: 'required' } : {}),
    ...(on.length === 0 ? { on: 'required' } : {}),
    ...(Number.isInteger(minutes) && minutes >= 0 ? {} : { quietMinutes: 'invalidNumber' }),
    ...(to.length === 0 ? { to: 'required' } : {}),
    ...Object.fromEntries(missing),
  }
}

export const alertFormMachine = formMachineOf<AlertValues, object>({ validate: validateAlert })

const destinationOf = ({ kind, address, secret, hasSecret }: DestinationValues): AlertDestination => {
  const kept = hasSecret ? keptSecret : ''
  const sent = kind === 'webhook' ? secret || kept : ''
  return { kind, address: address.trim(), ...(sent === '' ? {} : { secret: sent }) }
}

const bodyOf = ({ name, on, streams, labels, quietMinutes, to }: AlertValues): AlertBody => ({
  name: name.trim(),
  on,
  streams,
  labels: labels
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== ''),
  quietMinutes: minutesOf(quietMinutes),
  to: to.map(destinationOf),
})

/** An empty list means all streams or all labels. */
export function alertDraft(values: AlertValues): Partial<AlertBody> {
  const { streams, labels, ...rest } = bodyOf(values)
  return { ...rest, ...(streams.length === 0 ? {} : { streams }), ...(labels.length === 0 ? {} : { labels }) }
}

/** What was changed. */
export const alertPatch = (values: AlertValues, saved: AlertValues): Partial<AlertBody> =>
  changedIn(bodyOf(values), bodyOf(saved))
