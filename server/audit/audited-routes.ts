/** One call as the log sees it; `answer` is what it was answered, before it is written out. */
export type AuditedCall = { params: unknown; query: unknown; body: unknown; answer: unknown }

export type Audited = {
  /** What is done, as `things.verb`; undefined where this call is not of interest. */
  action: string | ((call: AuditedCall) => string | undefined)
  /** What it is done to. Of a stretch of the archive: `uid from/to`, of a moment `uid time`. */
  target?: (call: AuditedCall) => string
  /** Who it is, where nobody is signed in yet; such calls are recorded refused, too. */
  login?: (call: AuditedCall) => string
  /** What is done again by the same person within this many milliseconds is one viewing. */
  viewingMs?: number
}

const member = (holder: unknown, key: string): string => {
  const value: unknown = typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined
  if (typeof value === 'number') return new Date(value).toISOString()
  return typeof value === 'string' ? value : ''
}

const isSet = (holder: unknown, key: string): boolean =>
  typeof holder === 'object' && holder !== null && Reflect.get(holder, key) === true

const param = (key: string) => (call: AuditedCall) => member(call.params, key)
const field = (key: string) => (call: AuditedCall) => member(call.body, key)
const answered = (key: string) => (call: AuditedCall) => member(call.answer, key)

const stretch = ({ params, query }: AuditedCall) =>
  `${member(params, 'uid')} ${member(query, 'start_time')}/${member(query, 'end_time')}`

const segmentMoment = ({ params }: AuditedCall) => {
  const time = Number.parseInt(member(params, 'name'), 10)
  return `${member(params, 'uid')} ${Number.isSafeInteger(time) && time < 8.64e15 ? new Date(time).toISOString() : ''}`
}

const minuteMs = 60_000
const live: Audited = { action: 'stream.view', target: param('uid'), viewingMs: minuteMs }

/** Every call that is recorded. A test holds that every change is here, and no call that doesn't exist. */
export const auditedRoutes: Readonly<Record<string, Audited>> = {
  'POST /v1/sign-in': { action: 'session.sign-in', login: field('name') },
  'POST /v1/sign-out': { action: 'session.sign-out' },
  'POST /v1/system/unlock': { action: 'server.unlock', login: field('login') },
  'POST /v1/password/send-reset': { action: 'password.send-code', target: field('email'), login: () => '' },
  'POST /v1/password/reset': { action: 'password.reset', target: field('email'), login: () => '' },

  'GET /v1/stream/:uid/archive/live.m3u8': live,
  'GET /v1/stream/:uid/archive/live/:name': live,
  'GET /v1/stream/:uid/archive/part/:name': live,
  'GET /v1/stream/:uid/archive/recorded.m3u8': { action: 'archive.view', target: stretch, viewingMs: minuteMs },
  'GET /v1/stream/:uid/archive/recorded/:name': { action: 'archive.view', target: segmentMoment, viewingMs: 10 * minuteMs },
  'GET /v1/stream/preview': {
    action: ({ query }) => (member(query, 'time') === '' ? undefined : 'archive.preview'),
    target: ({ query }) => `${member(query, 'stream_id')} ${member(query, 'time')}`,
    viewingMs: 10 * minuteMs,
  },
  'GET /v1/stream/:uid/archive/download': { action: 'archive.download', target: stretch },

  'POST /v1/stream': { action: 'stream.create', target: answered('uid') },
  'PUT /v1/stream/:uid': { action: 'stream.change', target: param('uid') },
  'DELETE /v1/stream/:uid': { action: 'stream.delete', target: param('uid') },
  'POST /v1/stream/pause/:uid': { action: 'stream.pause', target: param('uid') },
  'POST /v1/stream/resume/:uid': { action: 'stream.resume', target: param('uid') },
  'POST /v1/stream/:uid/permissions': { action: 'stream.permissions', target: param('uid') },
  'GET /v1/stream/:uid/share': { action: 'stream.share', target: param('uid') },
  'DELETE /v1/stream/:uid/share': { action: 'stream.unshare', target: param('uid') },

  'POST /v1/mosaic': { action: 'mosaic.create', target: answered('id') },
  'POST /v1/mosaic/:id': { action: 'mosaic.change', target: param('id') },
  'DELETE /v1/mosaic/:id': { action: 'mosaic.delete', target: param('id') },

  'POST /v1/bookmarks': { action: 'bookmark.create', target: field('streamId') },
  'PATCH /v1/bookmark/:id': { action: 'bookmark.change', target: param('id') },
  'DELETE /v1/bookmark/:id': { action: 'bookmark.delete', target: param('id') },

  'PATCH /v1/user': { action: 'profile.change' },
  'POST /v1/token': { action: 'token.create', target: answered('id') },
  'DELETE /v1/token/:id': { action: 'token.delete', target: param('id') },
  'DELETE /v1/session/:id': { action: 'session.end', target: param('id') },
  'POST /v1/sessions/terminate': { action: 'session.end-others' },

  'POST /v1/user': { action: 'user.create', target: field('name') },
  'PATCH /v1/user/:login': { action: 'user.change', target: param('login') },
  'DELETE /v1/user/:login': { action: 'user.delete', target: param('login') },
  'POST /v1/user/:login/block': { action: 'user.block', target: param('login') },
  'POST /v1/user/:login/unblock': { action: 'user.unblock', target: param('login') },
  'POST /v1/user/:login/permissions': { action: 'user.permissions', target: param('login') },
  'DELETE /v1/user/:login/session/:id': { action: 'user.end-session', target: param('login') },

  'DELETE /v1/admin/recordings/:uid': { action: 'archive.purge', target: param('uid') },
  'PUT /v1/admin/configuration': { action: 'configuration.change' },
  'POST /v1/system/cluster/node/:id/drain': {
    action: ({ body }) => (isSet(body, 'drained') ? 'node.drain' : 'node.return'),
    target: param('id'),
  },
  'DELETE /v1/system/cluster/node/:id': { action: 'node.remove', target: param('id') },
  'POST /v1/tunnel/start': { action: 'tunnel.start', target: field('location') },
  'POST /v1/tunnel/stop': { action: 'tunnel.stop' },
  'PUT /v1/system/license': { action: 'license.change' },
}
