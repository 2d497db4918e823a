import type { AnyActorLogic, AnyEventObject } from 'xstate'
import { Alert } from '../../src/api/contract/alerts.ts'
import type { TimeRange } from '../../src/api/contract/time-range.ts'
import type { Reply } from '../../src/api/reply.ts'
import type { RouteName } from '../../src/machines/app/routes.ts'
import { healthOf, ok, configurationOf, settingsOf, streamOf, userOf } from '../fixtures/replies.ts'

/**
 * The possible answers of each port. A port is named by the path of its machines, shortened to what is unique
 * (`fetchStream`, `ranges.loadChunks`, `cluster.fetchResource`).
 */

/** The start of a walk's clock, in epoch milliseconds. */
export const beginning = Date.parse('2026-11-21T12:00:00.000Z')

interface Asked {
  /** The input of the request; its type depends on the port. */
  input: Record<string, never>
  /** Epoch milliseconds. */
  now: number
  /** Makes a reply: the value, or an error if the walk wants one. */
  reply: <T>(value: T) => Reply<T>
  /** The machine of a page with all its ports faked. */
  page: (name: RouteName) => AnyActorLogic | null
}

type Answer = (asked: Asked) => unknown

const ann = userOf()
const stream = streamOf({
  name: 'Gate',
  archive: { isEnable: true },
  tags: ['yard'],
  meta: { canAdmin: true, canViewArchive: true },
  ptz: { move: true, zoom: true, presets: true, home: true },
})
const streams = ['gate', 'yard', 'dock'].map((uid, index) => ({
  ...stream,
  uid,
  name: uid,
  status: ['running', 'paused', 'failed'][index] ?? '',
}))
const page = { items: streams, page: 1, pageSize: 50, total: streams.length }
const mosaic = {
  id: 'm1',
  name: 'Yard',
  meta: { canAdmin: true },
  columns: 2,
  rows: 1,
  cells: streams.slice(0, 2).map(({ uid }, x) => ({ streamUid: uid, x, y: 0, w: 1, h: 1 })),
}
const license = { expired: false, text: 'KEY', features: [] }
const bookmark = { id: 'b1', streamId: 'gate', time: beginning - 60_000, note: 'the van' }
const session = { id: 's1', userAgent: '', ip: '10.0.0.7', isCurrent: false }
const token = { id: 't1', name: 'script', expireTime: null }
const passkey = { id: 'k1', name: 'Phone', host: 'localhost', createTime: beginning, lastUsedTime: null }
const document = {
  info: { title: 'API', version: '1', description: '' },
  paths: {
    '/v1/stream/{uid}': {
      delete: {
        tags: ['stream'],
        summary: '',
        description: '',
        parameters: [{ name: 'uid', in: 'path', required: true, description: '' }],
      },
    },
  },
}
const exported = { id: 'e1', status: 'running', progress: 0.5, items: [], note: '', login: 'ann' }
const alert = Alert.parse({
  id: 'a1',
  name: 'Night',
  on: ['stream.failed'],
  to: [{ kind: 'mail', address: 'a@b.c' }],
})
const lock = { id: 'l1', startTime: beginning - 60_000, endTime: beginning, reason: 'Theft', login: 'ann' }
const picture = new Blob()
const camera = { streamId: 'gate', x: 0.5, y: 0.5 }
const plan = { id: 'p1', title: 'Floor', width: 400, height: 300, picture: 'v1', cameras: [camera], streams: [] }
const found = { id: 'c2', address: '10.0.0.8', host: '10.0.0.8', name: '', model: '', location: '', streams: [] }
const profile = { codec: 'h264', width: 640, height: 360, streamSource: 'rtsp://10.0.0.8/1' }

/** What the browser made; if the walk wants an error, the user cancelled. */
const madeByBrowser: Answer = ({ reply }) =>
  reply({}).ok ? { ok: true, value: {} } : { ok: false, reason: 'cancelled' }
const plain: Answer = ({ reply }) => reply({})
const timed: Answer = ({ reply, now }) => ({ reply: reply({}), at: now })
const cells =
  (content: (cell: { from: number; to: number }) => object): Answer =>
  ({ input, reply }) => {
    const asked: readonly { from: number; to: number }[] = input['cells'] ?? []
    return asked.map((cell) => ({ cell, reply: reply(content(cell)) }))
  }
const pages = ({ input, reply }: Asked) => {
  const asked: readonly number[] = input['pages'] ?? []
  return asked.map((number) => ({ page: number, reply: reply({ ...page, page: number }) }))
}

const features = [
  'alert-deliveries',
  'alerts',
  'audit',
  'bookmarks',
  'configuration-history',
  'events',
  'exports',
  'groups',
  'locks',
  'masks',
  'mosaic',
  'motion',
  'mqtt',
  'onvif',
  'passkeys',
  'plans',
  'ptz',
  'recordings',
  'support-bundle',
  'token-revocation',
  'totp',
  'user-passkeys',
  'user-tokens',
]

export const answers: Readonly<Record<string, Answer>> = {
  fetchConfiguration: ({ reply }) => reply(configurationOf()),
  fetchSettings: ({ reply }) => reply(settingsOf({ features, clusterEnabled: true })),
  fetchUser: ({ reply }) => reply(ann),
  'userEdit.fetchUser': ({ reply }) => reply({ user: ann, isOnlyAdministrator: false }),
  signOut: plain,
  loadPage: ({ input, page }) => page(input['name'] ?? 'main'),
  saveLanguage: plain,
  checkHealth: ({ reply, now }) => ({
    reply: reply(healthOf([{ code: 'DISK_ALMOST_FULL' }])),
    at: now,
    isOutdated: false,
  }),
  signIn: ({ reply }) => reply({ mustChangePassword: false }),
  beginPasskey: ({ reply }) => reply({ challenge: 'AA', rpId: 'localhost', timeout: 1, userVerification: 'required' }),
  choosePasskey: madeByBrowser,
  verifyPasskey: ({ reply }) => reply({ mustChangePassword: false }),
  fetchPasskeys: ({ reply, now }) => ({
    reply: reply({ items: [passkey] }),
    at: now,
    host: 'localhost',
    device: 'Linux',
  }),
  createPasskey: madeByBrowser,
  addPasskey: ({ reply }) => reply(passkey),
  removePasskey: plain,
  readCooldown: ({ now }) => ({ stored: null, at: now }),
  sendCode: timed,
  resetPassword: timed,
  readStored: () => ({ stored: null, storedSort: null, width: 1440, height: 900 }),
  fetchPages: pages,
  refreshPages: (asked) => ({ generation: asked.input['generation'], answers: pages(asked) }),
  changeStatus: ({ reply }) => reply({ status: 'paused' }),
  fetchStream: ({ reply }) => reply(stream),
  pause: ({ reply }) => reply({ status: 'paused' }),
  resume: ({ reply }) => reply({ status: 'running' }),
  readEnvironment: ({ now }) => ({
    now,
    zone: 'Europe/Berlin',
    zoneChoice: 'browser',
    sound: { volume: 1, isMuted: false },
    timelineLists: { isOpen: false, list: 'annotations', types: [] },
  }),
  takeSnapshot: () => undefined,
  measure: ({ reply }) => reply({ recordedMs: 50_000, gaps: 1, gapMs: 10_000 }),
  'ranges.loadChunks': cells(({ from, to }) => ({
    period: { startTime: from, endTime: to },
    ranges: [
      { date: from, status: 1 },
      { date: from + (to - from) / 2, status: 0 },
      { date: from + ((to - from) * 3) / 4, status: 1 },
    ],
  })),
  'annotations.loadChunks': cells(({ from }) => ({ items: [{ type: 'event', time: from + 1000 }] })),
  loadCoverage: ({ reply, now }) =>
    reply({ recorded: { from: now - 86_400_000, to: now }, days: ['2026-11-20', '2026-11-21'] }),
  fetchMosaic: ({ reply }) => reply({ ...mosaic, streams }),
  readinessBarrier: () => undefined,
  readArchiveStart: ({ now }) => now - 7_200_000,
  readCalendar: ({ now }) => ({ now, zone: 'Europe/Berlin' }),
  fetchPicture: ({ reply }) => reply(picture),
  'waitingPicture.fetchPicture': () => 'blob:1',
  fetchStills: () => undefined,
  openShare: ({ reply }) =>
    reply({ url: 'https://console.example/ui/stream/gate/view?token=s', token: 's', zone: 'UTC' }),
  withdrawShare: plain,
  remove: plain,
  probe: ({ reply }) => reply({ format: 'mpegts', tracks: [] }),
  fetchNodes: ({ reply }) => reply({ items: [{ id: 'n1', name: 'n1', available: true }] }),
  countStreams: ({ reply }) => reply(page),
  create: ({ reply }) => reply({ uid: 'new' }),
  'cameras.search': ({ reply }) => reply({ items: [{ ...found, id: 'c1' }, found] }),
  queryCamera: ({ reply }) => reply({ manufacturer: '', model: 'Dome', profiles: [profile], snapshot: '' }),
  searchUsers: ({ reply }) => reply(['ann', 'bob']),
  fetchLines: ({ reply, now }) => reply({ items: [{ id: String(now), level: 'info', message: 'started' }] }),
  'streamPermissions.content.fetchPermissions': ({ reply }) =>
    reply({ permissions: [{ login: 'bob', canView: true, canViewArchive: false, canAdmin: false }], byGroup: [] }),
  'userPermission.fetchPermissions': ({ reply }) => reply({ permissions: [], byGroup: [], isAdmin: false }),
  fetchUsers: ({ reply }) => reply({ items: [ann] }),
  changeUser: plain,
  fetchSessions: ({ reply, now }) => ({ reply: reply({ items: [session] }), at: now }),
  endSession: plain,
  endOthers: plain,
  fetchTokens: ({ reply, now }) => ({ reply: reply({ items: [token] }), at: now }),
  deleteToken: plain,
  revokeToken: plain,
  copy: () => true,
  fetchLocks: ({ reply }) => reply([lock]),
  removeLock: plain,
  'ptz.control': plain,
  readPresets: ({ reply }) => reply([{ token: '1', name: 'Gate' }]),
  'motion.search': ({ input, reply }) => {
    const { from, to }: { from: number; to: number } = Object.assign({ from: 0, to: 0 }, input)
    const searched = { startTime: from, endTime: to, source: 'picture' }
    return reply({ items: [{ ...searched, score: 0.5 }], coverage: [searched], searchedUntil: to, indexedUntil: to })
  },
  savePreset: ({ reply }) => reply({ token: '2', name: 'Yard' }),
  removePreset: plain,
  'locks.form.submit': ({ reply }) => reply(lock),
  measureParts: ({ input, reply }) => {
    const { range }: { range: TimeRange } = Object.assign({ range: { from: 0, to: 0 } }, input)
    return reply({ recordedMs: range.to - range.from, gaps: 0, gapMs: 0, parts: [range] })
  },
  'exportDraft.form.submit': ({ reply }) => reply({ id: 'e1' }),
  'exports.list.fetchResource': ({ reply }) =>
    reply({ items: [{ ...exported, address: '/v1/export/e1/file' }], publicKey: 'key', zone: 'UTC' }),
  'exports.list.perform': plain,
  'groups.list.fetchResource': ({ reply }) => reply([{ id: 'g1', kind: 'users', name: 'Guards', memberCount: 1 }]),
  'groups.list.perform': plain,
  'groups.form.submit': ({ reply }) => reply({ id: 'g1' }),
  fetchGroup: ({ reply }) =>
    reply({
      group: { id: 'g1', kind: 'streams', name: 'Outdoors', members: ['gate'] },
      permissions: [],
      candidates: [{ id: 'gate', name: 'Gate' }],
      streams: [{ id: 'gate', name: 'Gate' }],
      streamCount: 6000,
      streamGroups: [{ id: 'g2', name: 'Yard' }],
    }),
  searchStreams: ({ reply }) => reply([{ id: 'dock', name: 'Dock' }]),
  'group.form.submit': plain,
  'plans.list.fetchResource': ({ reply }) => reply([plan]),
  'plans.list.perform': plain,
  'plans.form.submit': ({ reply }) => reply({ id: 'p1' }),
  'plan.resource.fetchResource': ({ reply }) => reply({ plan, picture: { version: 'v1', file: picture } }),
  openMosaic: ({ reply }) => reply({ id: 'm1' }),
  fetchPlan: ({ reply }) => reply({ plan, picture, streams: [{ uid: 'gate', name: 'Gate' }] }),
  readPicture: () => ({ picture: { file: picture, width: 400, height: 300 } }),
  'planEdit.form.submit': plain,
  'alerts.list.fetchResource': ({ reply }) => reply({ items: [alert], pushKey: 'key' }),
  'alerts.subscribe': () => ({ ok: false, reason: 'denied' }),
  'alerts.list.perform': plain,
  'alerts.cameras.fetchResource': ({ reply }) => reply({ items: [{ uid: 'gate', name: 'Gate' }], total: 1 }),
  'alerts.deliveries.fetchResource': ({ reply }) => reply({ items: [], page: 1, pageSize: 50, total: 0 }),
  'alerts.mqtt.list.fetchResource': ({ reply }) =>
    reply({
      items: [],
      page: 1,
      pageSize: 50,
      total: 0,
      connection: { address: 'mqtts://broker.example:8883', topic: 'site', connected: true, failureReason: '' },
    }),
  'alerts.mqtt.testMqtt': ({ reply }) => reply({ topic: 'site/test', sent: true, failureReason: '' }),
  'alerts.form.submit': plain,
  'alerts.testAlert': ({ reply }) => reply({ items: [] }),
  'events.readPreferences': () => ({ search: '?label=car', zone: 'Europe/Berlin' }),
  'events.list.fetchResource': ({ reply, now }) =>
    reply({
      items: [{ id: 'e1', streamId: 'gate', type: 'event', time: now - 1000, label: 'car', score: 0.9 }],
      page: 1,
      pageSize: 50,
      total: 1,
    }),
  'events.cameras.fetchResource': ({ reply }) => reply({ items: [{ uid: 'gate', name: 'Gate' }], total: 1 }),
  fetchBookmarks: ({ reply }) => ({ reply: reply([bookmark]), zone: 'Europe/Berlin' }),
  deleteBookmark: plain,
  fetchDocument: ({ reply, now }) => reply({ document, origin: 'https://console.example', now }),
  sendRequest: () => ({ status: 200, ms: 5, headers: [], content: { kind: 'text', text: '{}' } }),
  saveBundle: plain,
  'configuration.fetchConfiguration': ({ reply }) =>
    reply({ values: { title: 'Site' }, schema: { type: 'object', properties: { title: { type: 'string' } } } }),
  search: ({ reply }) => reply({ streams: [{ uid: 'gate', name: 'Gate' }], mosaics: [], users: [{ name: 'ann' }] }),
  perform: plain,
  'list.fetchResource': ({ reply }) => reply([mosaic]),
  'streamChoice.fetchResource': ({ reply }) => reply(streams),
  'history.fetchResource': ({ reply, now }) => reply([{ id: 'v1', time: now, login: 'ann', values: { title: 'Old' } }]),
  'state.fetchResource': ({ reply }) => reply(license),
  'gauges.fetchResource': ({ reply }) => reply({ cpuPercent: 3 }),
  'series.fetchResource': ({ reply, now }) => reply({ series: [], from: now - 1000, to: now }),
  'recordings.fetchResource': ({ reply }) =>
    reply([{ uid: 'old', name: 'Old', bytes: 1, depthHours: -1, period: null }]),
  'recordings.perform': ({ reply }) => reply({}),
  'retention.fetchResource': ({ reply }) =>
    reply({
      items: [{ uid: 'gate', name: 'Gate', bytes: 1, bytesPerDay: 1, daysKept: 1, daysAhead: 30, limit: 'days' }],
      first: 'gate',
      freeBytes: 1,
      volumes: [],
    }),
  'cluster.fetchResource': ({ reply }) => reply({ nodes: [], streams: [] }),
  'tunnel.fetchResource': ({ reply }) => reply({ status: 'stopped', url: '', location: '', failureReason: '' }),
  'auditLogs.fetchResource': ({ reply }) => reply({ items: [], page: 1, pageSize: 50, total: 0 }),
  'init.form.submit': ({ reply }) => reply(ann),
  'streamView.unlock.submit': ({ reply }) => reply({ token: 'unlocked' }),
  'streamInfo.content.share.form.submit': ({ reply }) =>
    reply({ url: '/ui/stream/gate/view#token=t', token: 't', zone: 'UTC' }),
  'newPasskey.form.submit': ({ reply }) => reply({ challenge: 'AA' }),
  'passkeys.rename.submit': plain,
  'secondFactor.begin.submit': ({ reply }) => reply({ secret: 'JBSWY3DP', url: 'otpauth://totp/Sightline:ann' }),
  'secondFactor.confirm.submit': ({ reply }) => reply({ recoveryCodes: ['0123456789'] }),
  'secondFactor.remove.submit': plain,
  'profileEdit.form.submit': plain,
  'userAdd.form.submit': plain,
  'userEdit.form.submit': plain,
  'userPermission.form.submit': ({ reply }) => reply({ permissions: [] }),
  'tokens.form.submit': ({ reply }) => reply({ ...token, token: 'secret' }),
  'license.form.submit': ({ reply }) => reply(license),
  'configuration.form.submit': ({ reply }) => reply({ values: { title: 'Site' } }),
  'addStream.form.submit': ({ reply }) => reply({ uid: 'new' }),
  'streamSettings.content.form.submit': ({ reply }) => reply(stream),
  'streamMasks.content.form.submit': ({ reply }) => reply(stream),
  'streamPermissions.content.form.submit': ({ reply }) => reply({ permissions: [] }),
  'createMosaic.form.submit': ({ reply }) => reply({ id: 'm1' }),
  'mosaicEdit.form.submit': ({ reply }) => reply({ id: 'm1' }),
  'bookmarks.form.submit': ({ reply }) => reply(bookmark),
  'bookmark.form.submit': ({ reply }) => reply(bookmark),
}

type Words = (context: { input: Record<string, never>; now: number }) => readonly AnyEventObject[]

/** Sends nothing. */
export const silent: Words = () => []
const failures = ['stalled', 'network', 'codec', 'forbidden', 'missing'] as const

/** The events that a port may send by itself, at any time and in any order. */
export const words: Readonly<Record<string, Words>> = {
  visibility: () => [{ type: 'page.hidden' }, { type: 'page.shown' }, { type: 'page.shown' }],
  location: silent,
  appearance: silent,
  registerServiceWorker: silent,
  toastWithdrawal: silent,
  loadTools: silent,
  checkVersion: () => [{ type: 'version.found', newVersion: { version: '5.0', url: '' } }],
  watchApiErrors: () => [{ type: 'wire.unauthorized' }, { type: 'wire.locked' }],
  watchOtherTabs: () => [{ type: 'session.replaced', login: 'somebody' }],
  watchLeaving: () => [{ type: 'leave.attempted' }],
  storeDraft: () => [{ type: 'draft.found', values: { name: 'kept', text: 'kept' } }],
  watchViewport: () => [
    { type: 'viewport.resized', width: 390, height: 844 },
    { type: 'viewport.resized', width: 1440, height: 900 },
  ],
  fetchPreview: ({ input }) => ['blob:1', null].map((url) => ({ type: 'preview.fetched', uid: input['uid'], url })),
  holdPictures: silent,
  holdStills: silent,
  work: ({ input }) => {
    const { uid }: { uid: string } = input['stream'] ?? { uid: '' }
    return [
      { type: 'work.ended', uid, reply: ok(stream) },
      { type: 'work.ended', uid, reply: ok(null) },
    ]
  },
  'exports.check.check': () => [
    { type: 'check.progressed', share: 0.5 },
    { type: 'check.finished', result: { verdict: 'truncated', faults: [] } },
    { type: 'check.failed' },
  ],
  nameStreams: () => ['Gate', null].map((name) => ({ type: 'stream.named', uid: 'gate', name })),
  watchForChanges: () => [{ type: 'list.outdated' }],
  fetchClip: () => [
    { type: 'download.advanced', bytes: 10, total: null },
    { type: 'download.saved', bytes: 20 },
  ],
  warnBeforeClosing: silent,
  'recoverPassword.clock': ({ now }) => [{ type: 'clock.ticked', at: now }],
  'player.clock': ({ now }) =>
    [null, now - 3000, now - 3_600_000].map((playhead) => ({ type: 'clock.ticked', now, playhead })),
  screen: () => [{ type: 'screen.filled' }, { type: 'screen.left' }],
  sharedClock: ({ now }) => [now - 3_600_000, now - 1000].map((at) => ({ type: 'sharedClock.ticked', at, now })),
  reverseRounds: silent,
  follow: silent,
  alarm: () => [{ type: 'alarm.read', isOn: true }],
  controller: ({ now }) => [
    { type: 'engine.loaded', from: now - 30_000, to: now },
    { type: 'engine.loaded', from: now - 7_200_000, to: now - 3_000_000 },
    { type: 'engine.played' },
    { type: 'engine.paused' },
    { type: 'engine.stalled' },
    { type: 'engine.sought' },
    { type: 'engine.silenced' },
    { type: 'engine.blocked' },
    { type: 'engine.ended', at: now - 3_000_000 },
    { type: 'engine.windowMoved', from: now - 30_000, to: now },
    { type: 'engine.edgeReached' },
    { type: 'engine.loopEnded' },
    { type: 'engine.startReached', at: now - 7_200_000 },
    { type: 'picture.resized', width: 480, viewportWidth: 1920, isFull: false },
    { type: 'picture.resized', width: 1280, viewportWidth: 1920, isFull: false },
    ...failures.map((failure) => ({ type: 'engine.failed', failure, at: null })),
    { type: 'engine.failed', failure: 'stalled', at: now - 3_600_000 },
  ],
}
