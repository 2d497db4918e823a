import * as z from 'zod/mini'
import { instant } from '../../src/api/contract/wire.ts'
import type { Target } from './target.ts'
import type { Window } from './viewings.ts'
import { dayMs, minuteMs } from '../durations.ts'
import { propertyOf } from '../property-of.ts'
import { deviceUrlOf } from '../onvif/device-url.ts'

export type AuditedCall = { params: unknown; query: unknown; body: unknown; answer: unknown }

type Policy = { livePictures: boolean }

export type Audited = {
  /**
   * When the entry is written. `change`: before the change, which is refused otherwise. `entry`: with the response. The
   * others: before the first byte of the response.
   */
  kind: 'change' | 'entry' | 'viewing' | 'reading' | 'download'
  /** `thing.verb`; undefined if this call isn't logged. */
  action: string | ((call: AuditedCall, policy: Policy) => string | undefined)
  target?: (call: AuditedCall) => Target
  /** What the id of the target names. */
  of?: 'stream' | 'mosaic' | 'user' | 'email'
  /**
   * `claim`: the login that the caller gives. `credential`: the id of a passkey's credential. `anyone`:
   * calls of anonymous callers are logged, too.
   */
  by?: { claim: (call: AuditedCall) => string } | { credential: (call: AuditedCall) => string } | 'anyone'
  /** Calls within this window are one viewing. */
  window?: Window
  /** Logged even while the log is off. */
  isAlways?: boolean
}

/** The text of a field; empty if it has none. */
export const textOf = (holder: unknown, key: string): string => {
  const value = propertyOf(holder, key)
  return typeof value === 'string' ? value : ''
}

const isDate = (time: number): boolean => Math.abs(time) <= 8.64e15

/** A moment in epoch milliseconds. It is as the caller sent it if the call was refused before it was decoded. */
const momentOf = (holder: unknown, key: string): number | undefined => {
  const value = propertyOf(holder, key)
  const moment = typeof value === 'number' ? value : z.safeParse(instant, value).data
  return moment !== undefined && isDate(moment) ? moment : undefined
}

const param = (key: string) => (call: AuditedCall) => ({ id: textOf(call.params, key) })
const field = (key: string) => (call: AuditedCall) => ({ id: textOf(call.body, key) })
const answered = (key: string) => (call: AuditedCall) => ({ id: textOf(call.answer, key) })

const archive = (id: string, from: number | undefined, to?: number): Target => ({
  id,
  ...(from === undefined ? {} : { from }),
  ...(from === undefined || to === undefined ? {} : { to }),
})

const range = ({ params, query }: AuditedCall): Target =>
  archive(textOf(params, 'uid'), momentOf(query, 'start_time'), momentOf(query, 'end_time'))

const segmentMoment = ({ params }: AuditedCall): Target => {
  const time = Number.parseInt(textOf(params, 'name'), 10)
  return archive(textOf(params, 'uid'), isDate(time) ? time : undefined)
}

/** Only the host: the address may contain a login and password. */
const cameraHost = ({ body }: AuditedCall): Target => ({ id: deviceUrlOf(textOf(body, 'address'))?.host ?? '' })

type Action = Audited['action']
const change = (action: Action, more: Partial<Audited> = {}): Audited => ({ kind: 'change', action, ...more })
const view = (action: Action, more: Partial<Audited>): Audited => ({ kind: 'viewing', action, ...more })
const ofStream = { target: param('uid'), of: 'stream' } as const
const ofMosaic = { target: param('id'), of: 'mosaic' } as const
const ofAddress = { target: field('email'), of: 'email', by: 'anyone' } as const
const ofUser = { target: param('login'), of: 'user' } as const
const read = (action: string): Audited => ({ kind: 'reading', action, window: { ms: 10 * minuteMs, isFixed: true } })
const hasTime = (query: unknown): boolean => (propertyOf(query, 'time') ?? '') !== ''
const live = view('stream.view', { ...ofStream, window: { ms: minuteMs, isTimed: true } })
const recorded = (target: (call: AuditedCall) => Target, ms: number) =>
  view('archive.view', { target, of: 'stream', window: { ms, isTimed: true } })
const picture: Action = ({ query }, { livePictures }) => {
  if (textOf(query, 'stream_id') === '') return undefined
  // A picture of a URL has no masks either.
  if (textOf(query, 'unmasked') !== '' || textOf(query, 'url') !== '') return 'stream.preview-unmasked'
  if (hasTime(query)) return 'archive.preview'
  return livePictures ? 'stream.preview' : undefined
}

const ptzAction: Action = ({ body }) =>
  ['preset', 'home'].some((key) => propertyOf(body, key) !== undefined) ? 'camera.go-to-preset' : 'camera.turn'

const signIn: Action = ({ body, answer }) => {
  if (propertyOf(answer, 'recoveryCodesLeft') !== undefined) return 'session.recovery-code'
  return textOf(body, 'code') === '' ? 'session.sign-in' : 'session.code'
}

/** The calls that are logged. A test checks that every change is listed and every listed call exists. */
export const auditedRoutes: Readonly<Record<string, Audited>> = {
  // Signing in takes effect with the cookie; a code by mail goes to the owner of the address.
  'POST /v1/sign-in': { kind: 'entry', action: signIn, by: { claim: ({ body }) => textOf(body, 'name') } },
  // Nothing changes until the answer comes.
  'POST /v1/sign-in/passkey/options': change(() => undefined),
  'POST /v1/sign-in/passkey': {
    kind: 'entry',
    action: 'session.passkey',
    by: { credential: ({ body }) => textOf(body, 'id') },
  },
  // No lookup before the response: its time would reveal whether the user exists.
  'POST /v1/password/send-reset': { kind: 'entry', action: 'password.send-code', target: field('email'), by: 'anyone' },
  'POST /v1/password/reset': change('password.reset', ofAddress),
  'POST /v1/sign-out': change('session.sign-out'),
  'POST /v1/system/unlock': change('server.unlock', { by: { claim: ({ body }) => textOf(body, 'login') } }),

  'GET /v1/stream/:uid/archive/live.m3u8': live,
  'GET /v1/stream/:uid/archive/live/:name': live,
  'GET /v1/stream/:uid/archive/part/:name': live,
  'GET /v1/stream/:uid/archive/recorded.m3u8': recorded(range, minuteMs),
  'GET /v1/stream/:uid/archive/recorded/:name': recorded(segmentMoment, 10 * minuteMs),
  'GET /v1/stream/:uid/archive/sub/live.m3u8': live,
  'GET /v1/stream/:uid/archive/sub/live/:name': live,
  'GET /v1/stream/:uid/archive/sub/part/:name': live,
  'GET /v1/stream/:uid/archive/sub/recorded.m3u8': recorded(range, minuteMs),
  'GET /v1/stream/:uid/archive/sub/recorded/:name': recorded(segmentMoment, 10 * minuteMs),
  'GET /v1/stream/:uid/archive/compatible/live.m3u8': live,
  'GET /v1/stream/:uid/archive/compatible/live/:name': live,
  'GET /v1/stream/:uid/archive/compatible/recorded.m3u8': recorded(range, minuteMs),
  'GET /v1/stream/:uid/archive/compatible/recorded/:name': recorded(segmentMoment, 10 * minuteMs),
  'GET /v1/stream/preview': view(picture, {
    target: ({ query }) => archive(textOf(query, 'stream_id'), momentOf(query, 'time')),
    of: 'stream',
    window: { ms: 10 * minuteMs, pieceMs: dayMs },
  }),
  'GET /v1/stream/:uid/archive/download': {
    kind: 'download',
    action: 'archive.download',
    target: range,
    of: 'stream',
  },

  'POST /v1/onvif/discover': change('camera.search'),
  'POST /v1/onvif/camera': change('camera.ask', { target: cameraHost }),

  // Who holds a direction calls three times a second: one entry for a stretch of moving.
  'POST /v1/stream/:uid/ptz': view(ptzAction, { ...ofStream, window: { ms: minuteMs } }),
  'POST /v1/stream/:uid/ptz/presets': change('camera.save-preset', ofStream),
  'DELETE /v1/stream/:uid/ptz/presets/:token': change('camera.delete-preset', ofStream),

  'POST /v1/stream': change('stream.create', { target: answered('uid'), of: 'stream' }),
  'PUT /v1/stream/:uid': change('stream.change', ofStream),
  'PUT /v1/stream/:uid/masks': change('stream.masks', ofStream),
  'DELETE /v1/stream/:uid': change('stream.delete', ofStream),
  'POST /v1/stream/pause/:uid': change('stream.pause', ofStream),
  'POST /v1/stream/resume/:uid': change('stream.resume', ofStream),
  'POST /v1/stream/:uid/permissions': change('stream.permissions', ofStream),
  'GET /v1/stream/:uid/share': change('stream.share', ofStream),
  'PUT /v1/stream/:uid/share': change('stream.change-share', ofStream),
  'DELETE /v1/stream/:uid/share': change('stream.unshare', ofStream),
  'POST /v1/stream/:uid/share/unlock': { kind: 'entry', action: 'stream.unlock-share', ...ofStream, by: 'anyone' },

  'POST /v1/stream/:uid/archive/locks': change('archive.lock', {
    target: ({ params, body }) =>
      archive(textOf(params, 'uid'), momentOf(body, 'startTime'), momentOf(body, 'endTime')),
    of: 'stream',
  }),
  'DELETE /v1/stream/:uid/archive/locks/:id': change('archive.unlock', ofStream),

  'POST /v1/exports': change('export.create', { target: answered('id') }),
  'DELETE /v1/export/:id': change('export.delete', { target: param('id') }),
  'GET /v1/export/:id/file': { kind: 'download', action: 'export.download', target: param('id') },

  'POST /v1/alerts': change('alert.create', { target: answered('id') }),
  'PATCH /v1/alert/:id': change('alert.change', { target: param('id') }),
  'DELETE /v1/alert/:id': change('alert.delete', { target: param('id') }),
  'POST /v1/alert/:id/test': change('alert.test', { target: param('id') }),
  'POST /v1/mqtt/test': change('mqtt.test'),

  'POST /v1/mosaic': change('mosaic.create', { target: answered('id'), of: 'mosaic' }),
  'POST /v1/mosaic/:id': change('mosaic.change', ofMosaic),
  'DELETE /v1/mosaic/:id': change('mosaic.delete', ofMosaic),

  'POST /v1/plans': change('plan.create', { target: answered('id') }),
  'PATCH /v1/plan/:id': change('plan.change', { target: param('id') }),
  'DELETE /v1/plan/:id': change('plan.delete', { target: param('id') }),
  'PUT /v1/plan/:id/picture': change('plan.picture', { target: param('id') }),

  'POST /v1/bookmarks': change('bookmark.create', { target: field('streamId'), of: 'stream' }),
  'PATCH /v1/bookmark/:id': change('bookmark.change', { target: param('id') }),
  'DELETE /v1/bookmark/:id': change('bookmark.delete', { target: param('id') }),

  // A detector sends many events: one entry every ten minutes.
  'POST /v1/annotations': view('event.create', {
    target: ({ body }) => ({
      id: textOf(body, 'streamId') || textOf(propertyOf(propertyOf(body, 'items'), '0'), 'streamId'),
    }),
    of: 'stream',
    window: { ms: 10 * minuteMs, isFixed: true },
  }),
  'GET /v1/stream/:uid/annotation/:id/snapshot': view('event.snapshot', { ...ofStream, window: { ms: 10 * minuteMs } }),
  'DELETE /v1/annotation/:id': change('event.delete', { target: param('id') }),

  'PATCH /v1/user': change('profile.change'),
  'POST /v1/user/totp': change('profile.begin-totp'),
  'POST /v1/user/totp/confirm': change('profile.add-totp'),
  'DELETE /v1/user/totp': change('profile.remove-totp'),
  'POST /v1/user/passkeys/options': change('profile.begin-passkey'),
  'POST /v1/user/passkeys': change('profile.add-passkey', { target: answered('id') }),
  'PATCH /v1/user/passkey/:id': change('profile.rename-passkey', { target: param('id') }),
  'DELETE /v1/user/passkey/:id': change('profile.remove-passkey', { target: param('id') }),
  'POST /v1/token': change('token.create', { target: answered('id') }),
  'DELETE /v1/token/:id': change('token.delete', { target: param('id') }),
  'DELETE /v1/session/:id': change('session.end', { target: param('id') }),
  'POST /v1/sessions/terminate': change('session.end-others'),

  'GET /v1/users': read('user.list'),
  'POST /v1/user': change('user.create', { target: field('name'), of: 'user' }),
  'PATCH /v1/user/:login': change('user.change', ofUser),
  'DELETE /v1/user/:login': change('user.delete', ofUser),
  'POST /v1/user/:login/block': change('user.block', ofUser),
  'POST /v1/user/:login/unblock': change('user.unblock', ofUser),
  'DELETE /v1/user/:login/totp': change('user.remove-totp', ofUser),
  'POST /v1/user/:login/permissions': change('user.permissions', ofUser),
  'DELETE /v1/user/:login/session/:id': change('user.end-session', ofUser),
  'DELETE /v1/user/:login/passkey/:id': change('user.remove-passkey', ofUser),
  'DELETE /v1/user/:login/token/:id': change('user.revoke-token', ofUser),

  'POST /v1/groups': change('group.create', { target: answered('id') }),
  'PATCH /v1/group/:id': change('group.change', { target: param('id') }),
  'DELETE /v1/group/:id': change('group.delete', { target: param('id') }),
  'PUT /v1/group/:id/permissions': change('group.permissions', { target: param('id') }),

  'DELETE /v1/admin/recordings/:uid': change('archive.purge', { target: param('uid') }),
  'GET /v1/admin/audit-logs': read('audit.read'),
  'GET /v1/admin/configuration': read('configuration.read'),
  'GET /v1/admin/configuration/history': read('configuration.read'),
  'PUT /v1/admin/configuration': change('configuration.change', { isAlways: true }),
  'GET /v1/system/support-bundle': { kind: 'reading', action: 'server.support-bundle' },
  'POST /v1/system/cluster/node/:id/drain': change(
    ({ body }) => (propertyOf(body, 'drained') === true ? 'node.drain' : 'node.return'),
    { target: param('id') },
  ),
  'DELETE /v1/system/cluster/node/:id': change('node.remove', { target: param('id') }),
  'POST /v1/system/cluster/stream/:uid/move': change('stream.move', ofStream),
  'POST /v1/system/cluster/stream/:uid/pin': change('stream.pin', ofStream),
  'POST /v1/tunnel/start': change('tunnel.start', { target: field('location') }),
  'POST /v1/tunnel/stop': change('tunnel.stop'),
  'PUT /v1/system/license': change('license.change'),
}
