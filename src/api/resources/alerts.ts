import { call, pathSegment } from '../call.ts'
import { AlertDeliveries, Alerts, AlertTested } from '../contract/alerts.ts'
import { nothing } from '../contract/wire.ts'

const pathOf = (id: string) => `/v1/alert/${pathSegment(id)}`
/** The server answers after one try for each address. */
const testTimeoutMs = 30_000

/** The calls of this file: only by administrators, with the feature `alerts`. */
export const getAlerts = (signal?: AbortSignal) => call(Alerts, { path: '/v1/alerts', signal })

export const addAlert = (body: object, signal?: AbortSignal) =>
  call(nothing, { path: '/v1/alerts', method: 'POST', body, signal })

export const changeAlert = (id: string, body: object, signal?: AbortSignal) =>
  call(nothing, { path: pathOf(id), method: 'PATCH', body, signal })

export const removeAlert = (id: string, signal?: AbortSignal) =>
  call(nothing, { path: pathOf(id), method: 'DELETE', signal })

/** Sends a message to each address. Without the feature `alert-deliveries` the answer may be empty. */
export const testAlert = (id: string, signal?: AbortSignal) =>
  call(AlertTested, { path: `${pathOf(id)}/test`, method: 'POST', signal, timeoutMs: testTimeoutMs })

/** The sent and waiting messages of all alerts, newest first; only with the feature `alert-deliveries`. */
export const getAlertDeliveries = (page: number, signal?: AbortSignal) =>
  call(AlertDeliveries, { path: '/v1/alert-deliveries', query: { page }, signal })
