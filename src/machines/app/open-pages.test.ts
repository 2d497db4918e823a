import { expect, test } from 'vitest'
import { settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { openPages } from './open-pages.ts'

const everywhere = ['streams', 'mosaics', 'profileInfo', 'profileEdit', 'tokens', 'sessions']
const reader = userOf({ name: 'rob', isAdmin: false, maxStreamCreation: 0 })
const stream = { kind: 'stream', id: 'gate', name: 'Gate', canAdmin: true } as const

test('users can open their own pages, administrators all that are enabled', () => {
  expect(openPages({ user: reader, settings: settingsOf(), isTunnelEnabled: true, subject: null }, {})).toEqual([
    ...everywhere,
    'createMosaic',
    'bookmarks',
    'help',
  ])
  expect(
    openPages(
      {
        user: userOf(),
        settings: settingsOf({ clusterEnabled: true, features: ['alerts', 'events', 'exports', 'groups', 'plans'] }),
        isTunnelEnabled: true,
        subject: null,
      },
      {},
    ),
  ).toEqual([
    ...everywhere,
    'userAdd',
    'addStream',
    'createMosaic',
    'plans',
    'statistics',
    'configuration',
    'users',
    'groups',
    'cluster',
    'license',
    'serverDebug',
    'tunnel',
    'auditLogs',
    'alerts',
    'bookmarks',
    'events',
    'exports',
    'help',
  ])
})

test('the pages of a stream are offered on it, those that change it only with the right', () => {
  const from = (subject: typeof stream | null) =>
    openPages(
      { user: reader, settings: settingsOf({ features: ['masks'] }), isTunnelEnabled: false, subject },
      { uid: 'gate' },
    ).filter((name) => name.startsWith('stream') && name !== 'streams')
  expect(from(null)).toEqual(['streamView', 'streamInfo'])
  expect(from(stream)).toEqual([
    'streamView',
    'streamInfo',
    'streamSettings',
    'streamMasks',
    'streamPermissions',
    'streamDebug',
  ])
})
