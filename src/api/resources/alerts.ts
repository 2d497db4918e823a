import { call, pathSegment } from '../call.ts'
import { AlertDeliveries, Alerts, AlertTested } from '../contract/alerts.ts'
import { nothing } from '../contract/wire.ts'

const one = (id: string) => `/v1/alert/${pathSegment(id)}`
/** Each channel is tried once before it answers. */
const testTimeoutMs = 30_000

/** All of these only where the feature `alerts` is announced, by administrators. */
export const getAlerts = (signal?: AbortSignal) => call(Alerts, { path: '/v1/alerts', signal })

export const addAlert = (body: object, signal?: AbortSignal) =>
  call(nothing, { path: '/v1/alerts', method: 'POST', body, signal })

export const changeAlert = (id: string, body: object, signal?: AbortSignal) =>
  call(nothing, { path: one(id), method: 'PATCH', body, signal })

export const removeAlert = (id: string, signal?: AbortSignal) =>
  call(nothing, { path: one(id), method: 'DELETE', signal })

/** Another server may answer nothing. */
export const testAlert = (id: string, signal?: AbortSignal) =>
  call(AlertTested, { path: `${one(id)}/test`, method: 'POST', signal, timeoutMs: testTimeoutMs })

/** What was sent; only where the feature `alert-deliveries` is announced. */
export const getAlertDeliveries = (page: number, signal?: AbortSignal) =>
  call(AlertDeliveries, { path: '/v1/alert-deliveries', query: { page }, signal })
