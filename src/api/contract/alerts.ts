import * as z from 'zod/mini'
import { atMost, flag, instant, items, key, list, numberOr, optionalInstant, page, queryInteger, text } from './wire.ts'

/** What an alert reports. The console shows values that only another server knows as they are. */
export const alertEvents = ['stream.failed', 'stream.recovered', 'node.lost', 'disk.full', 'event'] as const
export type AlertEvent = (typeof alertEvents)[number]

export const alertChannels = ['mail', 'webhook', 'push'] as const
export type AlertChannel = (typeof alertChannels)[number]

/** `secret`: signs the calls of a webhook (docs/wire.md §6.2). Answers have `***`; `***` in a request keeps it. */
const AlertDestination = z.object({ kind: text, address: text, secret: z.optional(text) })
export type AlertDestination = z.output<typeof AlertDestination>

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/**
 * Feature `alert-quiet-hours` (docs/wire.md §6.2): nothing is sent in the periods, whose days are those on which they
 * begin. `from` and `to` are times of day like `22:00` in `timezone`; a `to` that isn't later is of the next day.
 * `summary`: what happened meanwhile is sent when they end.
 */
const QuietHours = z.object({
  timezone: text,
  summary: flag,
  periods: list(z.object({ days: list(z.string()), from: text, to: text })),
})
export type QuietHours = z.output<typeof QuietHours>

/**
 * Feature `alerts` (docs/wire.md §6.2). Empty `streams` are all streams, empty `labels` all events. The same failure or
 * event isn't reported again within `quietMinutes`.
 */
export const Alert = z.object({
  id: z.string(),
  name: text,
  on: list(z.string()),
  streams: list(z.string()),
  labels: list(z.string()),
  quietMinutes: numberOr(0),
  to: list(AlertDestination),
  quietHours: z.nullish(QuietHours),
})
export type Alert = z.output<typeof Alert>
/** `pushKey`: the server's public key, which browsers subscribe with (RFC 8292); without it there is no push. */
export const Alerts = z.extend(items(Alert), { pushKey: text })
export type Alerts = z.output<typeof Alerts>

export const maxAlertName = 100
export const maxAlertStreams = 200
export const maxAlertLabels = 50
export const maxAlertDestinations = 20
export const maxQuietMinutes = 10_080
export const secretLength = { min: 16, max: 200 }

const name = atMost(maxAlertName).check(z.trim(), z.minLength(1))
const on = z.array(z.enum(alertEvents)).check(z.minLength(1), z.maxLength(alertEvents.length))
const streams = z.array(key).check(z.maxLength(maxAlertStreams))
const label = atMost(100).check(z.trim(), z.minLength(1))
const labels = z.array(label).check(z.maxLength(maxAlertLabels))
const quietMinutes = z.int().check(z.minimum(0), z.maximum(maxQuietMinutes))
const destination = z.object({
  kind: z.enum(alertChannels),
  address: atMost(2000).check(z.trim(), z.minLength(1)),
  secret: z.nullish(atMost(secretLength.max)),
})
const maxQuietPeriods = 7
const timeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/))
const quietPeriod = z.object({
  days: z.array(z.enum(weekdays)).check(z.minLength(1), z.maxLength(weekdays.length)),
  from: timeOfDay,
  to: timeOfDay,
})
/** Without periods there are no quiet hours. */
const quietHours = z.nullish(
  z.object({
    timezone: z._default(atMost(100), ''),
    summary: z._default(z.boolean(), true),
    periods: z.array(quietPeriod).check(z.maxLength(maxQuietPeriods)),
  }),
)
const to = z.array(destination).check(z.minLength(1), z.maxLength(maxAlertDestinations))

export const AlertBody = z.object({
  name,
  on,
  streams: z._default(streams, []),
  labels: z._default(labels, []),
  quietMinutes: z._default(quietMinutes, 0),
  to,
  quietHours,
})
export type AlertBody = z.output<typeof AlertBody>
export const AlertPatch = z.object({
  name: z.optional(name),
  on: z.optional(on),
  streams: z.optional(streams),
  labels: z.optional(labels),
  quietMinutes: z.optional(quietMinutes),
  to: z.optional(to),
  quietHours,
})

/** The result of a test, one item for each address. */
export const AlertTested = items(z.object({ kind: text, address: text, sent: flag, failureReason: text }))
export type AlertTested = z.output<typeof AlertTested>

/** A failure, its end or an event that a message reports. `over`: the fault is gone. */
const ReportedItem = z.object({
  on: text,
  over: z.optional(flag),
  streamId: z.optional(text),
  streamName: z.optional(text),
  nodeName: z.optional(text),
  volume: z.optional(text),
  time: instant,
  reason: z.optional(text),
  label: z.optional(text),
  count: z.optional(z.number()),
})
export type ReportedItem = z.output<typeof ReportedItem>

/**
 * Feature `alert-deliveries`: one message to one address. `status` is `waiting` (the next try is at `nextTime`), `sent`
 * or `failed`; `on`: what the message reports; `total`: how many failures and events it reports, of which `items` has
 * the first.
 */
const AlertDelivery = z.object({
  id: z.string(),
  alertId: text,
  alertName: text,
  kind: text,
  address: text,
  on: list(z.string()),
  items: list(ReportedItem),
  streamName: text,
  total: numberOr(1),
  createTime: optionalInstant,
  status: text,
  attempts: numberOr(0),
  endTime: optionalInstant,
  nextTime: optionalInstant,
  failureReason: text,
})
export type AlertDelivery = z.output<typeof AlertDelivery>
export const AlertDeliveries = page(AlertDelivery)
export type AlertDeliveries = z.output<typeof AlertDeliveries>
export const AlertDeliveriesQuery = z.object({ page: z._default(queryInteger, 1) })

/** What a webhook is sent (docs/wire.md §6.2). `total` may be more than `items`. */
export const AlertMessage = z.object({
  id: z.string(),
  time: instant,
  alert: z.object({ id: z.string(), name: text }),
  total: numberOr(1),
  items: list(ReportedItem),
})
