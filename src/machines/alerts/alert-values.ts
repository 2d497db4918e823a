import type { Alert, AlertDestination, QuietHours } from '../../api/contract/alerts.ts'
import { changedIn } from '../form/draft.ts'
import type { FieldErrors } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'

/** A destination as typed. `secret` is a new secret; `hasSecret`: the server has one, which it never returns. */
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
  /** Empty `periods`: none. */
  quietHours: QuietHours
}

export interface AlertBody {
  name: string
  on: readonly string[]
  streams: readonly string[]
  labels: readonly string[]
  quietMinutes: number
  to: readonly AlertDestination[]
  quietHours: QuietHours
}

/** Sent in place of a secret, it leaves the secret unchanged (docs/wire.md §6, `alert-deliveries`). */
const unchangedSecret = '***'

export const blankDestination: DestinationValues = { kind: 'mail', address: '', secret: '', hasSecret: false }
const noQuietHours: QuietHours = { timezone: '', summary: true, periods: [] }
export const blankAlert: AlertValues = {
  id: '',
  name: '',
  on: ['stream.failed', 'stream.recovered'],
  streams: [],
  labels: '',
  quietMinutes: '10',
  to: [blankDestination],
  quietHours: noQuietHours,
}

export const alertValuesOf = ({ id, name, on, streams, labels, quietMinutes, to, quietHours }: Alert): AlertValues => ({
  id,
  name,
  on,
  streams,
  labels: labels.join(', '),
  quietMinutes: String(quietMinutes),
  to: to.map(({ kind, address, secret = '' }) => ({ kind, address, secret: '', hasSecret: secret !== '' })),
  quietHours: quietHours ?? noQuietHours,
})

const minutesOf = (text: string): number => (text.trim() === '' ? 0 : Number(text))

const missingFieldsOf = ({ periods }: QuietHours): FieldErrors =>
  Object.fromEntries(
    periods.flatMap((period, index) =>
      Object.entries(period)
        .filter(([, value]) => value.length === 0)
        .map(([field]) => [`quietHours.periods.${index}.${field}`, 'required']),
    ),
  )

/** The server checks the syntax of the addresses. */
export function validateAlert({ name, on, quietMinutes, to, quietHours }: AlertValues): FieldErrors {
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
    ...missingFieldsOf(quietHours),
  }
}

export const alertFormMachine = formMachineOf<AlertValues, object>({ validate: validateAlert })

const destinationOf = ({ kind, address, secret, hasSecret }: DestinationValues): AlertDestination => {
  const unchanged = hasSecret ? unchangedSecret : ''
  const sent = kind === 'webhook' ? secret || unchanged : ''
  return { kind, address: address.trim(), ...(sent === '' ? {} : { secret: sent }) }
}

const bodyOf = ({ name, on, streams, labels, quietMinutes, to, quietHours }: AlertValues): AlertBody => ({
  name: name.trim(),
  on,
  streams,
  labels: labels
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== ''),
  quietMinutes: minutesOf(quietMinutes),
  to: to.map(destinationOf),
  quietHours,
})

/** The body that creates an alert. It leaves out `streams` and `labels` for all of them, and `quietHours` for none. */
export function newAlertOf(values: AlertValues): Partial<AlertBody> {
  const { streams, labels, quietHours, ...rest } = bodyOf(values)
  return {
    ...rest,
    ...(streams.length === 0 ? {} : { streams }),
    ...(labels.length === 0 ? {} : { labels }),
    ...(quietHours.periods.length === 0 ? {} : { quietHours }),
  }
}

/** The changed fields. */
export function alertPatch(values: AlertValues, saved: AlertValues): Partial<AlertBody> {
  const { quietHours } = values
  const isChanged = JSON.stringify(quietHours) !== JSON.stringify(saved.quietHours)
  return { ...changedIn(bodyOf(values), bodyOf(saved)), ...(isChanged ? { quietHours } : {}) }
}
