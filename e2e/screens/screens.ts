import { foundCameras } from '../../tests/fixtures/found-cameras.ts'
import { clusterScreen, furtherClusterScreens } from './cluster.ts'
import { furtherPlanScreens, planScreens } from './plans.ts'
import type { Screen, ScreenSetup } from './setup.ts'

/**
 * Every screen with its states, dialogs and menus, for `npm run screens`. The tests check all but the further dialogs
 * with axe.
 */

const settings = '/v1/system/internal/ui/settings'
const signedOut = { '/v1/user': { status: 401, json: { code: 'AuthorizationRequired' } } }
const none = { json: { items: [], page: 1, pageSize: 50, total: 0 } }
const broken = { status: 500, json: { code: 'InternalServerError' } }
const forbidden = { status: 403, json: { code: 'Forbidden' } }

/** The list with its first stream in a separate group, whose name is too long for a row. */
const longTagged = (list: Record<string, unknown>) => {
  const items: Record<string, unknown>[] = Array.isArray(list['items']) ? list['items'] : []
  const tags = ['Along the fence behind the northern warehouse, '.repeat(4).trim()]
  return { ...list, items: items.map((item, index) => (index === 0 ? { ...item, tags } : item)) }
}

const inH265 = (stream: Record<string, unknown>) => ({
  ...stream,
  renditions: ['main', 'compatible'],
  video: { codec: 'hvc1.1.6.L93.B0', width: 3840, height: 2160, fps: 25 },
})
const turnable = (stream: Record<string, unknown>) => ({
  ...stream,
  ptz: { move: true, zoom: true, presets: true, home: true },
})
const presets = { items: ['Gate', 'Car park'].map((name, index) => ({ token: String(index), name })) }
const twoSources = (stream: Record<string, unknown>) => ({
  ...stream,
  streamSource: 'rtsp://operator:secret@10.0.0.4:554/main',
  substreamSource: 'rtsp://operator:secret@10.0.0.4:554/small',
  renditions: ['main', 'sub'],
  video: { codec: 'h264', width: 1920, height: 1080, fps: 25 },
})

const opens =
  (message: string, values?: Readonly<Record<string, string>>) =>
  async ({ press, dialog }: ScreenSetup) => {
    await press(message, values)
    await dialog().first().waitFor()
  }
const menu = async ({ press, page }: ScreenSetup) => {
  await press('Menu')
  await page.getByRole('menu').waitFor()
}
const moving =
  (count: number) =>
  async ({ page }: ScreenSetup) => {
    await page.waitForFunction(
      (least) => [...document.querySelectorAll('video')].filter(({ readyState }) => readyState >= 2).length >= least,
      count,
    )
  }
const playing = async (setup: ScreenSetup) => {
  await setup.page.locator('[data-view-mode] time[datetime]').first().waitFor()
  await moving(1)(setup)
}
const player = (message: string) => async (setup: ScreenSetup) => {
  await playing(setup)
  await setup.page.mouse.move(300, 300)
  await setup.press(message)
}

/** A preview is shown. */
const pictured = ({ page }: ScreenSetup) => page.locator('main img').first().waitFor()
const streams: readonly Screen[] = [
  { name: 'streams', path: '/streams', act: pictured },
  { name: 'streams-table', path: '/streams', act: ({ press }) => press('Table view') },
  {
    name: 'streams-grouped',
    path: '/streams',
    overrides: { '/v1/streams': longTagged },
    act: ({ press }) => press('Group by tag'),
  },
  { name: 'streams-filters', path: '/streams', act: ({ press }) => press('Filters') },
  { name: 'streams-chosen', path: '/streams', act: async ({ page }) => page.getByRole('checkbox').first().check() },
  { name: 'streams-empty', path: '/streams', overrides: { '/v1/streams': none } },
  { name: 'streams-not-found', path: '/streams?search=zzz', overrides: { '/v1/streams': none } },
  { name: 'streams-failed', path: '/streams', overrides: { '/v1/streams': broken }, isRefused: true },
  { name: 'add-stream', path: '/add-stream' },
  { name: 'add-stream-several', path: '/add-stream', act: ({ press }) => press('Several at once') },
  {
    name: 'add-stream-found',
    path: '/add-stream',
    overrides: { '/v1/onvif/discover': { json: { items: foundCameras } } },
    act: ({ press }) => press('Find cameras'),
  },
  { name: 'mosaics', path: '/mosaics' },
  { name: 'mosaics-empty', path: '/mosaics', overrides: { '/v1/mosaics': none } },
  { name: 'create-mosaic', path: '/create-mosaic' },
  { name: 'mosaic', path: '/mosaic/{mosaic}', act: moving(3) },
  {
    name: 'mosaic-archive',
    path: '/mosaic/{mosaic}',
    act: async (setup) => {
      await moving(3)(setup)
      await setup.press('Archive')
      await setup.page.getByRole('slider').first().waitFor()
    },
  },
  { name: 'mosaic-edit', path: '/mosaic/{mosaic}/edit' },
  { name: 'bookmarks', path: '/bookmarks', act: pictured },
  { name: 'events', path: '/events?stream={stream}', act: pictured },
  { name: 'events-empty', path: '/events', overrides: { '/v1/events/search': none } },
  { name: 'exports', path: '/exports' },
  { name: 'exports-empty', path: '/exports', overrides: { '/v1/exports': none } },
  { name: 'bookmarks-empty', path: '/bookmarks', overrides: { '/v1/bookmarks': none } },
  { name: 'bookmark-delete', path: '/bookmarks', act: opens('Delete') },
]

const stream: readonly Screen[] = [
  { name: 'player', path: '/stream/{stream}/view', act: playing },
  { name: 'player-archive', path: '/stream/{stream}/view?at={moment}', act: playing },
  { name: 'player-calendar', path: '/stream/{stream}/view?at={moment}', act: player('Calendar') },
  { name: 'player-download', path: '/stream/{stream}/view?at={moment}', act: player('Download') },
  { name: 'player-moments', path: '/stream/{stream}/view?at={moment}', act: player('Events and recordings') },
  {
    name: 'player-motion',
    path: '/stream/{stream}/view?at={moment}',
    act: async (setup) => {
      await player('Search motion')(setup)
      const area = setup.page.getByRole('application')
      for (const key of ['ArrowLeft', 'ArrowUp'])
        for (let count = 0; count < 12; count += 1) await area.press(`Shift+${key}`)
      await setup.press('Search')
      await setup.page.getByRole('list', { name: setup.text('Motion found') }).waitFor()
    },
  },
  {
    name: 'player-speed',
    path: '/stream/{stream}/view?at={moment}',
    act: async (setup) => {
      await playing(setup)
      await setup.page.mouse.move(300, 300)
      await setup.page.getByRole('button', { name: '1×' }).click()
      await setup.page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'player-forbidden',
    path: '/stream/{stream}/view',
    overrides: { '/v1/stream/{stream}': forbidden },
    isRefused: true,
  },
  {
    name: 'player-compatible',
    path: '/stream/{stream}/view',
    overrides: { '/v1/stream/{stream}': inH265 },
    act: playing,
  },
  {
    name: 'player-ptz',
    path: '/stream/{stream}/view',
    overrides: { '/v1/stream/{stream}': turnable, '/v1/stream/{stream}/ptz/presets': { json: presets } },
    act: async (setup) => {
      await playing(setup)
      await setup.page.mouse.move(300, 300)
      const button = setup.page.getByRole('button', { name: 'PTZ', exact: true })
      if (await button.isVisible()) await button.click()
      else {
        await setup.press('Show more')
        await setup.page.getByRole('menuitem', { name: 'PTZ' }).click()
      }
      await setup.page.getByText('Car park').waitFor()
    },
  },
  { name: 'stream-info', path: '/stream/{stream}/info' },
  { name: 'stream-delete', path: '/stream/{stream}/info', act: opens('Delete') },
  { name: 'stream-settings', path: '/stream/{stream}/setting' },
  {
    name: 'stream-settings-substream',
    path: '/stream/{stream}/setting',
    overrides: {
      '/v1/stream/{stream}': twoSources,
      '/v1/stream/probe': { json: { tracks: [{ type: 'video', codec: 'h264', width: 1920, height: 1080, fps: 25 }] } },
      // Nothing answers at that address.
      '/v1/stream/preview': { status: 204 },
    },
    act: async ({ press, page }) => {
      await press('Probe')
      await page.getByRole('status').first().waitFor()
    },
  },
  { name: 'stream-masks', path: '/stream/{stream}/masks' },
  { name: 'stream-permissions', path: '/stream/{stream}/permission' },
  { name: 'stream-debug', path: '/stream/{stream}/debug' },
]

const withFeature =
  (feature: string) =>
  ({ features, ...rest }: Record<string, unknown>) => ({
    ...rest,
    features: [...(Array.isArray(features) ? features : []), feature],
  })
const withPasskeys = withFeature('passkeys')
const passkey = { host: '127.0.0.1', createTime: '2026-11-01T08:00:00.000Z', lastUsedTime: null }
const passkeys = {
  [settings]: withPasskeys,
  '/v1/user/passkeys': {
    json: {
      items: [
        { ...passkey, id: '1', name: 'Windows, Chrome', lastUsedTime: '2026-11-20T17:30:00.000Z' },
        { ...passkey, id: '2', name: 'Security key', host: 'cams.example.org' },
      ],
    },
  },
}
const passkeysOfUser = { '/v1/user/{user}/passkeys': passkeys['/v1/user/passkeys'] }

const people: readonly Screen[] = [
  { name: 'profile', path: '/profile/me/info' },
  { name: 'profile-passkeys', path: '/profile/me/info', overrides: passkeys },
  { name: 'passkey-add', path: '/profile/me/info', overrides: passkeys, act: opens('Add passkey') },
  { name: 'profile-edit', path: '/profile/me/edit' },
  { name: 'tokens', path: '/profile/me/tokens' },
  { name: 'token-create', path: '/profile/me/tokens', act: opens('Create token') },
  { name: 'sessions', path: '/profile/me/sessions' },
  { name: 'users', path: '/administration/users' },
  { name: 'user-add', path: '/user/add' },
  { name: 'user', path: '/user/{user}/info' },
  { name: 'user-passkeys', path: '/user/{user}/info', overrides: passkeysOfUser },
  {
    name: 'user-passkey-remove',
    path: '/user/{user}/info',
    overrides: passkeysOfUser,
    act: opens('Remove {name}', { name: 'Security key' }),
  },
  { name: 'user-block', path: '/user/{user}/info', act: opens('Block') },
  { name: 'user-edit', path: '/user/{user}/edit' },
  { name: 'user-permissions', path: '/user/{user}/permission' },
  { name: 'user-sessions', path: '/user/{user}/sessions' },
]

const warnings = [
  { code: 'LICENSE_EXPIRATION', expiresAt: '2026-12-24T10:00:00.000Z' },
  { code: 'ALLOC_DIR_DISK_SPACE', usedPercent: 92.5 },
  { code: 'CLUSTER_NODE_DRAINED' },
]

/** A licence and a server with the tunnel in a given state. */
const tunnelOf = (json: object): NonNullable<Screen['overrides']> => ({
  [settings]: ({ features, ...rest }) => ({
    ...rest,
    features: [...(Array.isArray(features) ? features : []), 'tunnel'],
    tunnelLocations: ['eu', 'us'],
  }),
  '/v1/tunnel/status': { json },
})

const time = '2026-11-21T08:00:00.000Z'
const entry = { time, login: 'admin', userId: 'u1', ip: '192.0.2.7', outcome: 'ok' }
const delivery = { alertName: 'Night watch', kind: 'mail', address: 'guard@example.org', attempts: 1 }
const deliveries = {
  items: [
    {
      ...delivery,
      id: '3',
      on: ['stream.failed'],
      items: ['Gate', 'Yard', 'Car park'].map((streamName) => ({
        on: 'stream.failed',
        streamName,
        time: '2026-11-21T03:00:00Z',
      })),
      total: 40,
      status: 'sent',
      createTime: '2026-11-21T03:00:12Z',
    },
    {
      ...delivery,
      id: '2',
      on: ['event'],
      streamName: 'Gate',
      kind: 'webhook',
      address: 'https://hooks.example.org/sightline',
      status: 'waiting',
      failureReason: 'HTTP 503',
      createTime: '2026-11-21T02:58:00Z',
      nextTime: '2026-11-21T03:03:00Z',
    },
    {
      ...delivery,
      id: '1',
      on: ['disk.full'],
      status: 'failed',
      failureReason: 'MAIL_REFUSED',
      createTime: '2026-11-20T22:10:00Z',
    },
  ],
  page: 1,
  pageSize: 50,
  total: 3,
}
const published = { nodeId: 'n1', createTime: '2026-11-21T03:00:12Z', status: 'sent', attempts: 1, retained: true }
const mqttDeliveries = {
  items: [
    { ...published, id: '3', topic: 'site/stream/gate/status', payload: '{"name":"Gate","status":"failed"}' },
    {
      ...published,
      id: '2',
      topic: 'site/stream/gate/event',
      payload: '{"name":"Gate","label":"car","score":0.87}',
      retained: false,
      status: 'waiting',
      attempts: 2,
      failureReason: 'CONNECTION_LOST',
    },
    { ...published, id: '1', topic: 'site/status', payload: 'online' },
  ],
  page: 1,
  pageSize: 50,
  total: 3,
  connection: {
    address: 'mqtts://broker.example.org:8883',
    topic: 'site',
    connected: false,
    time: '2026-11-21T03:00:00Z',
    failureReason: 'CERTIFICATE_NAME',
  },
}
/** One entry for each optional field. */
const entries = [
  {
    ...entry,
    id: '9',
    action: 'configuration.change',
    changes: [
      { path: 'audit.isEnabled', from: 'true', to: 'false' },
      { path: 'mail.host', from: '', to: 'mail.example.org' },
      { path: 'mail.password', from: '', to: '***' },
    ],
  },
  {
    ...entry,
    id: '8',
    login: 'admln',
    userName: 'viewer',
    userId: 'u2',
    action: 'profile.change',
    changes: [{ path: 'name', from: 'admln', to: 'viewer' }],
  },
  { ...entry, id: '7', action: 'user.change', target: 'admln', name: 'viewer', targetId: 'u2' },
  {
    ...entry,
    id: '6',
    login: '',
    action: 'session.sign-in',
    claimed: String.raw`root\u{202e}`,
    outcome: 'TooManyRequests',
    times: 481,
    endTime: time,
  },
  {
    ...entry,
    id: '5',
    action: 'archive.download',
    target: `gate ${time}/${time}`,
    name: 'Gate',
    outcome: 'aborted',
    bytes: 48_200_000,
    endTime: time,
  },
  { ...entry, id: '4', action: 'stream.delete', target: 'yard', outcome: 'started' },
  {
    ...entry,
    id: '3',
    action: 'user.create',
    outcome: 'interrupted',
    claimed: 'ghost',
    changes: [{ path: 'permissionType', to: 'admin' }],
  },
  { ...entry, id: '2', action: 'stream.tilt', outcome: 'postponed' },
]

const administration: readonly Screen[] = [
  { name: 'statistics', path: '/administration/stats' },
  { name: 'configuration', path: '/administration/config' },
  {
    name: 'configuration-changed',
    path: '/administration/config',
    act: async ({ page, text }) => {
      await page.getByLabel(text('Title'), { exact: true }).fill('Harbour')
      await page.getByRole('region', { name: text('What will change') }).waitFor()
    },
  },
  {
    name: 'configuration-history',
    path: '/administration/config',
    act: async ({ page }) => {
      const version = page.locator('main li details').first()
      await version.locator('summary').click()
      await version.scrollIntoViewIfNeeded()
    },
  },
  { name: 'groups', path: '/administration/groups' },
  { name: 'groups-empty', path: '/administration/groups', overrides: { '/v1/groups': none } },
  { name: 'group-add', path: '/administration/groups', act: opens('Add stream group') },
  { name: 'group-delete', path: '/administration/groups', act: opens('Delete {name}', { name: 'Guards' }) },
  { name: 'group', path: '/administration/groups/{group}' },
  { name: 'cluster', path: '/administration/cluster' },
  { name: 'cluster-drain', path: '/administration/cluster', act: opens('Drain') },
  clusterScreen,
  { name: 'license', path: '/administration/license' },
  { name: 'server-debug', path: '/administration/server-debug' },
  { name: 'tunnel', path: '/administration/tunnel' },
  {
    name: 'tunnel-running',
    path: '/administration/tunnel',
    overrides: tunnelOf({ status: 'running', url: 'https://eu.example.org/', location: 'eu', failureReason: '' }),
  },
  { name: 'alerts', path: '/administration/alerts', overrides: { '/v1/alert-deliveries': { json: deliveries } } },
  {
    name: 'alerts-mqtt',
    path: '/administration/alerts',
    overrides: {
      [settings]: withFeature('mqtt'),
      '/v1/alert-deliveries': { json: deliveries },
      '/v1/mqtt-deliveries': { json: mqttDeliveries },
    },
    act: ({ page }) => page.getByRole('region', { name: 'MQTT' }).scrollIntoViewIfNeeded(),
  },
  { name: 'alerts-empty', path: '/administration/alerts', overrides: { '/v1/alerts': none } },
  { name: 'alert-add', path: '/administration/alerts', act: opens('Add alert') },
  {
    name: 'alert-wrong',
    path: '/administration/alerts',
    act: async ({ press, dialog }) => {
      await press('Add alert')
      await dialog().first().waitFor()
      await press('Save')
    },
  },
  { name: 'alert-edit', path: '/administration/alerts', act: opens('Edit {name}', { name: 'Night watch' }) },
  { name: 'alert-delete', path: '/administration/alerts', act: opens('Delete {name}', { name: 'Night watch' }) },
  { name: 'audit-logs', path: '/administration/audit-logs' },
  {
    name: 'audit-logs-entries',
    path: '/administration/audit-logs',
    overrides: {
      '/v1/admin/audit-logs': { json: { items: entries, page: 1, pageSize: 50, total: 10_050, hasMore: true } },
    },
    act: ({ page }) => page.locator('main details summary').first().click(),
  },
  {
    name: 'audit-logs-disabled',
    path: '/administration/audit-logs',
    overrides: { '/v1/admin/audit-logs': { status: 403, json: { code: 'AuditLogsDisabled' } } },
    isRefused: true,
  },
  { name: 'swagger', path: '/swagger' },
]

const shell: readonly Screen[] = [
  { name: 'help', path: '/help' },
  {
    name: 'shortcuts',
    path: '/help',
    act: async ({ page, dialog }) => {
      await page.keyboard.press('?')
      await dialog().locator('kbd').first().waitFor()
    },
  },
  { name: 'menu', path: '/help', act: menu },
  {
    name: 'palette',
    path: '/help',
    act: async ({ page }) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
    },
  },
  {
    name: 'banners',
    path: '/help',
    overrides: {
      '/v1/system/health': (health) => ({ ...health, warnings }),
      [settings]: (json) => ({ ...json, isLicenseExpired: true }),
    },
  },
  {
    name: 'not-responding',
    path: '/help',
    overrides: { '/v1/system/health': 'unreachable' },
    isRefused: true,
    act: ({ page }) => page.getByRole('alert').first().waitFor(),
  },
  {
    name: 'forbidden',
    path: '/administration/stats',
    overrides: { '/v1/user': (user) => ({ ...user, isAdmin: false, maxStreamCreation: 0 }) },
  },
  { name: 'not-found', path: '/nowhere/at/all' },
]

const entrances: readonly Screen[] = [
  { name: 'auth', path: '/auth', overrides: signedOut, isVisitor: true, isRefused: true },
  {
    name: 'auth-kiosk',
    path: '/auth',
    overrides: {
      ...signedOut,
      [settings]: (json) => ({
        ...withPasskeys(json),
        passwordResetAllowed: true,
        kioskPrefillUser: 'wall',
        kioskPrefillPassword: 'screen',
      }),
    },
    isVisitor: true,
    isRefused: true,
  },
  {
    name: 'recover-password',
    path: '/recover-password',
    overrides: { ...signedOut, [settings]: (json) => ({ ...json, passwordResetAllowed: true }) },
    isVisitor: true,
    isRefused: true,
  },
  {
    name: 'init',
    path: '/init',
    overrides: { '/v1/user': { status: 423 }, [settings]: (json) => ({ ...json, isLocked: true }) },
    isVisitor: true,
    isRefused: true,
  },
  { name: 'shared', path: '/stream/{stream}/view#token={token}', isVisitor: true, isRefused: true, act: playing },
  { name: 'shared-withdrawn', path: '/stream/{stream}/view#token=gone', isVisitor: true, isRefused: true },
]

const ofChosen = (message: string) => async (setup: ScreenSetup) => {
  await setup.page.getByRole('checkbox').first().check()
  await opens(message)(setup)
}
const aCall = 'DELETE /v1/bookmark/{id}'

const anotherSession = {
  id: 'phone',
  lastSeenTime: '2026-11-21T08:00:00.000Z',
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1',
  ip: '10.0.0.9',
  isCurrent: false,
}
const southNode = {
  id: 'south',
  name: 'South',
  address: '10.0.0.7',
  available: false,
  drained: false,
  version: '0.1.0',
  streams: 3,
  cpuPercent: 12,
  diskUsedPercent: 91,
}

const furtherDialogs: readonly Screen[] = [
  ...furtherClusterScreens,
  ...furtherPlanScreens,
  { name: 'streams-tags', path: '/streams', act: ofChosen('Tags…') },
  { name: 'streams-delete', path: '/streams', act: ofChosen('Delete…') },
  {
    name: 'mosaic-export',
    path: '/mosaic/{mosaic}?at={moment}',
    act: async (setup) => {
      const { page, press, dialog } = setup
      await moving(3)(setup)
      await press('Mark in')
      for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowRight')
      await press('Mark out')
      await press('Export')
      await dialog().getByRole('checkbox').and(page.locator(':enabled')).first().waitFor()
    },
  },
  {
    name: 'mosaic-reverse',
    path: '/mosaic/{mosaic}?at={moment}',
    act: async (setup) => {
      await moving(3)(setup)
      await setup.press('Mark in')
      await setup.press('Shuttle')
      await setup.page.getByRole('slider', { name: setup.text('Shuttle') }).press('ArrowLeft')
      await setup.page.getByRole('button', { name: /−1×/ }).waitFor()
    },
  },
  { name: 'mosaic-delete', path: '/mosaics', act: opens('Delete {0}', { 0: 'North side' }) },
  { name: 'bookmark-edit', path: '/bookmarks', act: opens('Edit') },
  {
    name: 'bookmark',
    path: '/stream/{stream}/view?at={moment}',
    act: async (setup) => {
      await playing(setup)
      await setup.page.locator('[data-view-mode] button').first().focus()
      await setup.page.keyboard.press('b')
      await setup.dialog().first().waitFor()
    },
  },
  {
    name: 'time-zone',
    path: '/stream/{stream}/view?at={moment}',
    act: async (setup) => {
      await playing(setup)
      await setup.page.locator('[data-view-mode] [aria-haspopup="dialog"]').last().click()
      await setup.dialog().first().waitFor()
    },
  },
  { name: 'share-withdraw', path: '/stream/{stream}/info', act: opens('Withdraw') },
  {
    name: 'token-delete',
    path: '/profile/me/tokens',
    act: opens('Delete {name}', { name: 'Wall display, ground floor' }),
  },
  {
    name: 'sessions-end',
    path: '/profile/me/sessions',
    overrides: { '/v1/sessions': ({ items }) => ({ items: [...(Array.isArray(items) ? items : []), anotherSession] }) },
    act: opens('End all others'),
  },
  { name: 'user-delete', path: '/user/{user}/info', act: opens('Delete') },
  {
    name: 'leave',
    path: '/user/add',
    act: async (setup) => {
      await setup.page.getByLabel(setup.text('Login')).fill('j.smith')
      await setup.page
        .getByRole('link', { name: setup.text('All streams') })
        .first()
        .click()
      await setup.dialog().first().waitFor()
    },
  },
  { name: 'configuration-text', path: '/administration/config', act: ({ press }) => press('As JSON') },
  {
    name: 'cluster-remove',
    path: '/administration/cluster',
    overrides: {
      '/v1/system/cluster/nodes': ({ items }) => ({ items: [...(Array.isArray(items) ? items : []), southNode] }),
    },
    act: opens('Remove'),
  },
  {
    name: 'tunnel-stopped',
    path: '/administration/tunnel',
    overrides: tunnelOf({ status: 'stopped', url: '', location: '', failureReason: '' }),
  },
  {
    name: 'tunnel-failed',
    path: '/administration/tunnel',
    overrides: tunnelOf({
      status: 'failed',
      url: '',
      location: 'us',
      failureReason: 'It ended with code 255: Connection refused',
    }),
  },
  { name: 'swagger-call', path: `/swagger?${new URLSearchParams({ call: aCall })}` },
]

/** The screens of every test run. */
export const screens: readonly Screen[] = [
  ...streams,
  ...stream,
  ...planScreens,
  ...people,
  ...administration,
  ...shell,
  ...entrances,
]
export const allScreens: readonly Screen[] = [...screens, ...furtherDialogs]
