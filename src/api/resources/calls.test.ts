import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { calls as specified } from '../../../tests/specification/calls.ts'
import { setBaseUrl } from '../call.ts'
import type { StreamBody } from '../contract/stream.ts'
import { playlistUrl } from '../media/playlist/playlist-url.ts'
import * as administration from './administration.ts'
import * as archive from './archive.ts'
import { serverBookmarks } from './bookmarks.ts'
import * as mosaics from './mosaics.ts'
import * as openApi from './open-api.ts'
import * as passkeys from './passkeys.ts'
import * as password from './password.ts'
import * as profile from './profile.ts'
import * as secondFactor from './second-factor.ts'
import * as session from './session.ts'
import * as sessions from './sessions.ts'
import * as streamAdministration from './stream-administration.ts'
import * as stream from './stream.ts'
import * as streams from './streams.ts'
import * as system from './system.ts'
import * as tokens from './tokens.ts'
import * as users from './users.ts'

const requests: { line: string; body: unknown }[] = []
/** The timeouts of calls, in milliseconds; shorter ones are set by other code. */
const timeouts = () => vi.mocked(setTimeout).mock.calls.flatMap(([, ms = 0]) => (ms < 1000 ? [] : [ms]))

beforeEach(() => {
  setBaseUrl('https://vms.example')
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (target, init) => {
    const { pathname, search } = new URL(String(target))
    const text = typeof init?.body === 'string' ? init.body : '{}'
    requests.push({ line: `${init?.method ?? 'GET'} ${pathname}${decodeURIComponent(search)}`, body: JSON.parse(text) })
    return new Response('{}', { status: 200, headers: { 'content-type': 'application/json' } })
  })
  vi.spyOn(globalThis, 'setTimeout')
  vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  requests.length = 0
  setBaseUrl('')
  vi.restoreAllMocks()
})

const signal = new AbortController().signal
const range = { from: Date.UTC(2026, 10, 21, 8), to: Date.UTC(2026, 10, 21, 9) }
const period = 'start_time=2026-11-21T08:00:00.000Z&end_time=2026-11-21T09:00:00.000Z'
const fromTo = 'from=2026-11-21T08:00:00.000Z&to=2026-11-21T09:00:00.000Z'
const view = { groupType: 'tag', sortType: 'name', isOnlyAvailable: true, searchingValues: ['gate', 'я'] } as const
const draft: StreamBody = { name: 'Gate', streamSource: 'rtsp://gate.example/1' }
const layout = { name: 'Wall', columns: 1, rows: 1, cells: [] }
const grants = { permissions: [{ login: 'eve', canView: true, canViewArchive: false, canAdmin: false }] }
const granted = { permissions: [{ uid: 'gate', name: 'Gate', canView: true, canViewArchive: false, canAdmin: false }] }
const moment = { streamId: 'gate', time: '2026-11-21T08:00:00.000Z', note: 'van' }
const newPasskey = {
  name: 'Phone',
  credential: { id: 'AA', response: { clientDataJSON: 'AA', attestationObject: 'AA', transports: ['usb'] } },
}
const assertion = {
  id: 'AA',
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
}
const person = { name: 'eve', password: 'correct horse' }

type CallCase = readonly [
  call: string,
  make: () => Promise<unknown>,
  query?: string,
  body?: unknown,
  timeoutMs?: number,
]

/** Calls as the specification writes them, `{…}` for one segment of the path, and what the console sends. */
const callCases: readonly CallCase[] = [
  [
    'GET /v1/streams',
    () => streams.getStreams(view, 2),
    '?page=2&groupType=tag&sortType=name&searchingValues=gate&searchingValues=я&onlyAvailable=true',
  ],
  [
    'GET /v1/streams',
    () => streams.refreshStreams(view, 2),
    '?page=2&groupType=tag&sortType=name&searchingValues=gate&searchingValues=я&isOnlyAvailable=true',
  ],
  ['GET /v1/streams', () => streamAdministration.getFirstStreams(), '?page=1'],
  ['POST /v1/stream', () => streamAdministration.createStream(draft), '', draft, 35_000],
  ['GET /v1/stream/{uid}', () => stream.getStream('gate', { extendLease: false })],
  ['GET /v1/stream/{uid}', () => stream.getStream('gate', { extendLease: true }), '?extend_lease=true'],
  ['PUT /v1/stream/{uid}', () => streamAdministration.saveStream('gate', draft), '', draft],
  ['DELETE /v1/stream/{uid}', () => streamAdministration.deleteStream('gate', { purge: true }), '?purge=true', {}],
  ['DELETE /v1/stream/{uid}', () => streamAdministration.deleteStream('gate', { purge: false }), '', {}],
  ['POST /v1/stream/pause/{uid}', () => stream.pauseStream('gate'), '', {}],
  ['POST /v1/stream/resume/{uid}', () => stream.resumeStream('gate'), '', {}],
  [
    'GET /v1/stream/probe',
    () => streamAdministration.probeSource({ url: 'rtsp://a', streamId: 'gate' }),
    '?url=rtsp://a&stream_id=gate',
    undefined,
    60_000,
  ],
  [
    'GET /v1/stream/preview',
    () => streamAdministration.getSourcePicture({ url: 'rtsp://a', streamId: 'gate' }),
    '?url=rtsp://a&stream_id=gate',
    undefined,
    60_000,
  ],
  ['GET /v1/stream/preview', () => stream.getLatestPreview('gate'), '?stream_id=gate', undefined, 60_000],
  [
    'GET /v1/stream/preview',
    () => streamAdministration.getUnmaskedPicture('gate'),
    '?stream_id=gate&unmasked=true',
    undefined,
    60_000,
  ],
  ['PUT /v1/stream/{uid}/masks', () => streamAdministration.saveMasks('gate', { masks: [] }), '', { masks: [] }],
  [
    'GET /v1/stream/preview',
    () => archive.getPreviewAt('gate', range.from, signal),
    '?stream_id=gate&time=2026-11-21T08:00:00.000Z',
    undefined,
    60_000,
  ],
  ['GET /v1/stream/{uid}/logs', () => streamAdministration.getStreamLogs('gate', null)],
  ['GET /v1/stream/{uid}/logs', () => streamAdministration.getStreamLogs('gate', '7'), '?after=7'],
  ['GET /v1/stream/{uid}/share', () => streamAdministration.openShare('gate')],
  [
    'PUT /v1/stream/{uid}/share',
    () => streamAdministration.changeShare('gate', { expireTime: null, password: '***' }),
    '',
    { expireTime: null, password: '***' },
  ],
  [
    'POST /v1/stream/{uid}/share/unlock',
    () => stream.unlockShare('gate', { token: 't', password: 'x' }),
    '',
    { token: 't', password: 'x' },
  ],
  ['DELETE /v1/stream/{uid}/share', () => streamAdministration.withdrawShare('gate'), '', {}],
  ['GET /v1/stream/{uid}/permissions', () => streamAdministration.getStreamPermissions('gate')],
  ['POST /v1/stream/{uid}/permissions', () => streamAdministration.saveStreamPermissions('gate', grants), '', grants],
  ['GET /v1/stream/{uid}/archive/ranges', () => archive.getRanges('gate', range, signal), `?${period}`],
  ['GET /v1/stream/{uid}/archive/stats', () => archive.getArchiveStats('gate', signal)],
  [
    'GET /v1/stream/{uid}/archive/available-days',
    () => archive.getAvailableDays('gate', range, 'Europe/Berlin', signal),
    `?${period}&timezone=Europe/Berlin`,
  ],
  ['GET /v1/annotations', () => archive.getAnnotations('gate', range, signal), `?streamId=gate&${fromTo}`],
  ['POST /v1/sign-in', () => session.signIn({ name: 'ann', password: 'x' }), '', { name: 'ann', password: 'x' }],
  ['POST /v1/sign-out', () => session.signOut(), '', {}],
  ['GET /v1/user', () => session.getCurrentUser()],
  ['PATCH /v1/user', () => session.patchCurrentUser({ language: 'ru' }), '', { language: 'ru' }],
  [
    'PATCH /v1/user',
    () => profile.patchProfile({ email: 'a@b.example', fullName: 'Ann', oldPassword: 'x', password: 'y' }),
    '',
    { email: 'a@b.example', fullName: 'Ann', oldPassword: 'x', password: 'y' },
  ],
  ['POST /v1/user/totp', () => secondFactor.beginTotp('x'), '', { password: 'x' }],
  ['POST /v1/user/totp/confirm', () => secondFactor.confirmTotp('123456'), '', { code: '123456' }],
  ['DELETE /v1/user/totp', () => secondFactor.removeTotp('x'), '', { password: 'x' }],
  ['DELETE /v1/user/{login}/totp', () => secondFactor.removeTotpOf('eve'), '', {}],
  ['GET /v1/user/passkeys', () => passkeys.getPasskeys()],
  ['POST /v1/user/passkeys/options', () => passkeys.beginPasskey('x'), '', { password: 'x' }],
  ['POST /v1/user/passkeys', () => passkeys.addPasskey(newPasskey), '', newPasskey],
  ['PATCH /v1/user/passkey/{id}', () => passkeys.renamePasskey({ id: '7', name: 'Phone' }), '', { name: 'Phone' }],
  ['DELETE /v1/user/passkey/{id}', () => passkeys.removePasskey('7'), '', {}],
  ['GET /v1/user/{login}/passkeys', () => passkeys.getUserPasskeys('eve')],
  ['DELETE /v1/user/{login}/passkey/{id}', () => passkeys.removeUserPasskey({ login: 'eve', id: '7' }), '', {}],
  ['POST /v1/sign-in/passkey/options', () => passkeys.beginPasskeySignIn(), '', {}],
  ['POST /v1/sign-in/passkey', () => passkeys.signInWithPasskey(assertion), '', assertion],
  ['GET /v1/users', () => users.getUsers()],
  ['POST /v1/user', () => users.createUser(person), '', person],
  ['GET /v1/user/{login}', () => users.getUser('eve')],
  ['PATCH /v1/user/{login}', () => users.patchUser('eve', { fullName: 'Eve' }), '', { fullName: 'Eve' }],
  ['DELETE /v1/user/{login}', () => users.deleteUser('eve'), '', {}],
  ['POST /v1/user/{login}/block', () => users.blockUser('eve'), '', {}],
  ['POST /v1/user/{login}/unblock', () => users.unblockUser('eve'), '', {}],
  ['GET /v1/user/{login}/permissions', () => users.getUserPermissions('eve')],
  ['POST /v1/user/{login}/permissions', () => users.setUserPermissions('eve', granted), '', granted],
  ['GET /v1/user/{login}/sessions', () => sessions.getSessions('eve')],
  ['DELETE /v1/user/{login}/session/{id}', () => sessions.endSession({ login: 'eve', id: '7' }), '', {}],
  ['GET /v1/tokens', () => tokens.getTokens()],
  [
    'POST /v1/token',
    () => tokens.createToken({ name: 'Wall', expireTime: null }),
    '',
    { name: 'Wall', expireTime: null },
  ],
  ['DELETE /v1/token/{id}', () => tokens.deleteToken('7'), '', {}],
  ['GET /v1/sessions', () => sessions.getSessions(null)],
  ['POST /v1/sessions/terminate', () => sessions.endOtherSessions(), '', {}],
  ['GET /v1/user/{login}/tokens', () => tokens.getUserTokens('eve')],
  ['DELETE /v1/user/{login}/token/{id}', () => tokens.deleteUserToken({ login: 'eve', id: '7' }), '', {}],
  ['DELETE /v1/session/{id}', () => sessions.endSession({ login: null, id: '7' }), '', {}],
  [
    'POST /v1/password/send-reset',
    () => password.sendResetCode({ email: 'a@b.example' }),
    '',
    { email: 'a@b.example' },
  ],
  [
    'POST /v1/password/reset',
    () => password.resetPassword({ email: 'a@b.example', code: '1', password: 'y' }),
    '',
    { email: 'a@b.example', code: '1', password: 'y' },
  ],
  ['GET /v1/mosaics', () => mosaics.getMosaics()],
  ['POST /v1/mosaic', () => mosaics.createMosaic(layout), '', layout],
  ['POST /v1/mosaic/{id}', () => mosaics.saveMosaic('7', layout), '', layout],
  ['GET /v1/mosaic/{id}', () => mosaics.getMosaic('7', { extendLease: false })],
  ['GET /v1/mosaic/{id}', () => mosaics.getMosaic('7', { extendLease: true }), '?extend_lease=true'],
  ['DELETE /v1/mosaic/{id}', () => mosaics.deleteMosaic('7'), '', {}],
  ['GET /ui/config.json', () => system.getConfiguration()],
  ['GET /v1/system/internal/ui/settings', () => system.getSettings()],
  ['GET /v1/system/health', () => system.getHealth()],
  [
    'POST /v1/system/unlock',
    () => session.unlock({ login: 'ann', password: 'x', email: 'a@b.example' }),
    '',
    { login: 'ann', password: 'x', email: 'a@b.example' },
  ],
  ['GET /v1/system/license', () => administration.getLicense()],
  ['PUT /v1/system/license', () => administration.putLicense('signed'), '', { text: 'signed' }],
  ['GET /v1/system/logs', () => administration.getServerLogs('7'), '?after=7'],
  ['GET /v1/system/support-bundle', () => administration.getSupportBundle()],
  ['GET /v1/system/stats', () => administration.getStats()],
  ['GET /v1/system/search', () => streamAdministration.search('gate'), '?query=gate'],
  ['GET /v1/system/internal/ui/nodes', () => streamAdministration.getNodes()],
  ['GET /v1/admin/stats', () => administration.getSeries(range), `?${fromTo}`],
  ['GET /v1/admin/retention', () => administration.getRetention()],
  ['GET /v1/admin/recordings', () => administration.getRecordings()],
  ['DELETE /v1/admin/recordings/{uid}', () => administration.removeRecording('gate', { unlock: true }), '?unlock=true'],
  ['GET /v1/admin/configuration', () => administration.getServerConfiguration()],
  [
    'PUT /v1/admin/configuration',
    () => administration.putServerConfiguration({ title: 'A' }),
    '',
    { values: { title: 'A' } },
  ],
  ['GET /v1/admin/configuration/history', () => administration.getConfigurationHistory()],
  [
    'GET /v1/admin/audit-logs',
    () => administration.getAuditLogs({ page: 2, ...range, login: 'ann', action: '' }),
    `?page=2&${fromTo}&login=ann`,
  ],
  ['GET /v1/system/cluster/nodes', () => administration.getClusterNodes()],
  ['DELETE /v1/system/cluster/node/{id}', () => administration.removeNode('7'), '', {}],
  ['POST /v1/system/cluster/node/{id}/drain', () => administration.drainNode('7', true), '', { drained: true }],
  ['GET /v1/system/cluster/streams', () => administration.getPlacedStreams()],
  ['POST /v1/system/cluster/stream/{uid}/move', () => administration.moveStream('gate', 'b'), '', { nodeId: 'b' }],
  ['POST /v1/system/cluster/stream/{uid}/pin', () => administration.pinStream('gate', ''), '', { nodeId: '' }],
  ['POST /v1/tunnel/start', () => administration.startTunnel('eu'), '', { location: 'eu' }],
  ['POST /v1/tunnel/stop', () => administration.stopTunnel(), '', {}],
  ['GET /v1/tunnel/status', () => administration.getTunnel()],
  ['GET /v1/bookmarks', () => serverBookmarks.list()],
  ['POST /v1/bookmarks', () => serverBookmarks.add(moment), '', moment],
  ['PATCH /v1/bookmark/{id}', () => serverBookmarks.change('7', { note: 'bus' }), '', { note: 'bus' }],
  ['DELETE /v1/bookmark/{id}', () => serverBookmarks.remove('7'), '', {}],
]

const values: Readonly<Record<string, string>> = { uid: 'gate', login: 'eve', id: '7' }
/** The method and path of a call, with `values` in place of `{…}`. */
const lineOf = (call: string) => call.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

describe('the calls of docs/wire.md §5.2 and of the contract', () => {
  test.each(callCases.map((callCase) => [callCase[0], callCase] as const))(
    '%s is made as written',
    async (_, [call, make, query = '', body = {}, timeoutMs]) => {
      await make()
      expect({ requests, timeouts: timeouts() }).toEqual({
        requests: [{ line: `${lineOf(call)}${query}`, body }],
        timeouts: timeoutMs !== undefined ? [timeoutMs] : call.startsWith('GET ') ? [60_000] : [],
      })
    },
  )

  test('playlists and downloads have a URL', () => {
    const urls = [
      playlistUrl({ kind: 'live', uid: 'gate' }),
      playlistUrl({ kind: 'archive', uid: 'gate', ...range }),
      playlistUrl({ kind: 'live', uid: 'gate', rendition: 'compatible' }),
      playlistUrl({ kind: 'archive', uid: 'gate', ...range, rendition: 'sub' }),
      archive.downloadUrl('gate', range, -90),
    ]
    expect(urls.map((url) => decodeURIComponent(url))).toEqual([
      'https://vms.example/v1/stream/gate/archive/index.m3u8',
      `https://vms.example/v1/stream/gate/archive/index.m3u8?${period}`,
      'https://vms.example/v1/stream/gate/archive/index.m3u8?rendition=compatible',
      `https://vms.example/v1/stream/gate/archive/index.m3u8?${period}&rendition=sub`,
      `https://vms.example/v1/stream/gate/archive/download?${period}&timezone_offset=-90`,
    ])
  })

  test('the version check goes to the configured URL, without credentials', async () => {
    const fetched = vi.mocked(fetch)
    await system.getVersionCheck('https://versions.example/latest?edition=free')
    const [target, init] = fetched.mock.calls[0] ?? []
    expect([target, init?.credentials, [...new Headers(init?.headers)]]).toEqual([
      'https://versions.example/latest?edition=free',
      'same-origin',
      [],
    ])
  })

  test('every call of the specification is covered', () => {
    const media = ['GET /v1/stream/{uid}/archive/index.m3u8', 'GET /v1/stream/{uid}/archive/download']
    const covered = new Set([...callCases.map(([call]) => call), ...media])
    expect(specified.filter((call) => !covered.has(call))).toEqual([])
  })

  test('every function of these files is covered', () => {
    const functions = [
      administration,
      archive,
      mosaics,
      passkeys,
      password,
      profile,
      session,
      sessions,
      streamAdministration,
      stream,
      streams,
      system,
      tokens,
      users,
      serverBookmarks,
    ]
      .flatMap((file) => Object.values(file))
      .filter((exported) => typeof exported === 'function')
    const sources = callCases.map(([, make]) => String(make))
    const uncovered = functions
      .map(({ name }) => name)
      .filter((name) => !sources.some((source) => source.includes(`${name}(`)))
    expect(uncovered.toSorted()).toEqual(['downloadUrl', 'getVersionCheck'])
    expect(Object.keys(openApi).toSorted()).toEqual(['getOpenApi', 'sendPlain'])
  })
})
