import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RouteName, matchRoute, pathTo, routeNames, routeOf, routes } from './routes.ts'

const paramNames = (name: RouteName) => [...routes[name].path.matchAll(/:([a-zA-Z]+)/g)].map(([, param]) => param ?? '')
const withParams = routeNames.filter((name) => paramNames(name).length > 0)

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '%',
      '/',
      '\\',
      '.',
      '?',
      '#',
      ':',
      ';',
      '&',
      '2',
      'F',
      'e',
      'E',
      ' ',
      '\t',
      '\n',
      'я',
      '🎥',
      '\u202e',
    ),
  }),
  fc.constantFrom(
    '%',
    '%2F',
    '%252F',
    '/',
    '//evil.example',
    '..%2f',
    'add',
    'me',
    '__proto__',
    'constructor',
    ':uid',
    '😀',
    'камера 1',
    '\0',
  ),
)
/** `add` is no login (docs/wire.md §5, user); `.` and `..` have no spelling in a URL; an empty one names nothing. */
const speakable = hostile.filter((value) => value !== '' && value !== 'add' && !/^\.{1,2}$/.test(value))

/** What the browser makes of a path when it is navigated to. */
const navigated = (path: string) => new URL(`/ui${path}`, 'https://console.example')

describe('the table (docs/behaviour.md §3)', () => {
  test('every path is that of the specification', () => {
    expect(
      Object.fromEntries(routeNames.map((name) => [routes[name].path, routeOf(name).redirect ?? routes[name].title])),
    ).toEqual({
      '/': '/streams',
      '/streams': 'streams',
      '/mosaics': 'mosaics',
      '/auth': 'authorization',
      '/recover-password': 'recoverPassword',
      '/init': 'init',
      '/profile/me': '/profile/me/info',
      '/profile/me/info': 'myProfile',
      '/profile/me/edit': 'myProfile',
      '/profile/me/tokens': 'myTokens',
      '/profile/me/sessions': 'sessions',
      '/user/add': 'addUser',
      '/user/:login': '/user/:login/info',
      '/user/:login/info': 'user',
      '/user/:login/edit': 'editUser',
      '/user/:login/permission': 'userPermission',
      '/user/:login/sessions': 'sessions',
      '/stream/:uid/view': 'stream',
      '/stream/:uid': '/stream/:uid/info',
      '/stream/:uid/info': 'streamInfo',
      '/stream/:uid/setting': 'streamSettings',
      '/stream/:uid/masks': 'streamMasks',
      '/stream/:uid/permission': 'streamPermissions',
      '/stream/:uid/debug': 'streamDebug',
      '/add-stream': 'addStream',
      '/create-mosaic': 'createMosaic',
      '/mosaic/:id': 'mosaic',
      '/mosaic/:id/edit': 'editMosaic',
      '/plans': 'plans',
      '/plan/:id': 'plan',
      '/plan/:id/edit': 'editPlan',
      '/administration': '/administration/stats',
      '/administration/stats': 'statistics',
      '/administration/config': 'configuration',
      '/administration/users': 'users',
      '/administration/groups': 'groups',
      '/administration/groups/:id': 'group',
      '/administration/cluster': 'cluster',
      '/administration/license': 'license',
      '/administration/server-debug': 'serverDebug',
      '/administration/tunnel': 'tunnel',
      '/administration/audit-logs': 'auditLogs',
      '/administration/alerts': 'alerts',
      '/license': '/administration/license',
      '/bookmarks': 'bookmarks',
      '/events': 'events',
      '/exports': 'exports',
      '/help': 'help',
      '/swagger': 'apiDocumentation',
      '/not-found': 'notFound',
    })
  })

  test('only what needs nobody is open to anyone, and all of administration is for administrators', () => {
    const open = routeNames.filter((name) => routes[name].entry === 'anyone')
    const admin = routeNames.filter((name) => routes[name].entry === 'admin')
    expect({ open, admin }).toEqual({
      open: ['auth', 'recoverPassword', 'init', 'notFound'],
      admin: [
        'userAdd',
        'user',
        'userInfo',
        'userEdit',
        'userPermission',
        'userSessions',
        'planEdit',
        'administration',
        'statistics',
        'configuration',
        'users',
        'groups',
        'group',
        'cluster',
        'license',
        'serverDebug',
        'tunnel',
        'auditLogs',
        'alerts',
        'licenseShortcut',
        'swagger',
      ],
    })
  })

  test('the header is blank on administration and user add, and away on auth, init, recovery and not-found', () => {
    const blank = routeNames.filter((name) => routes[name].header === 'blank')
    const none = routeNames.filter((name) => routes[name].header === 'none')
    expect(blank.filter((name) => !routes[name].path.startsWith('/administration'))).toEqual([
      'userAdd',
      'plan',
      'planEdit',
      'licenseShortcut',
    ])
    expect(none).toEqual(['auth', 'recoverPassword', 'init', 'notFound'])
  })
})

describe('matching', () => {
  test.each([
    ['/', 'main', {}],
    ['/streams/', 'streams', {}],
    ['/streams///', 'streams', {}],
    ['/user/add', 'userAdd', {}],
    ['/user/add/info', 'userInfo', { login: 'add' }],
    ['/user/me', 'user', { login: 'me' }],
    ['/stream/gate', 'stream', { uid: 'gate' }],
    ['/stream/a%2Fb/view', 'streamView', { uid: 'a/b' }],
    ['/stream/%D1%8F/info', 'streamInfo', { uid: 'я' }],
    ['/mosaic/7/edit', 'mosaicEdit', { id: '7' }],
    ['/license', 'licenseShortcut', {}],
    ['/Streams', 'notFound', {}],
    ['/stream/', 'notFound', {}],
    ['/stream//view', 'notFound', {}],
    ['/stream/%/view', 'notFound', {}],
    ['/stream/%E0%A4/view', 'notFound', {}],
    ['//streams', 'notFound', {}],
    ['/stream/gate/view/more', 'notFound', {}],
    ['/profile/you', 'notFound', {}],
    ['/__proto__', 'notFound', {}],
    ['/not-found', 'notFound', {}],
  ])('%s is %s', (path, name, params) => {
    expect(matchRoute(path)).toEqual({ name, params })
  })

  test('never throws, whatever the address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        expect(routeNames).toContain(matchRoute(path).name)
      }),
    )
  })
})

describe('addressing', () => {
  test('what is addressed is what is matched, through the browser too', () => {
    fc.assert(
      fc.property(fc.constantFrom(...withParams), speakable, (name, value) => {
        const params = Object.fromEntries(paramNames(name).map((param) => [param, value]))
        const path = pathTo(name, params)
        const { pathname, search, hash, origin } = navigated(path)
        expect(matchRoute(path)).toEqual({ name, params })
        expect({ match: matchRoute(pathname.slice(3)), search, hash, origin }).toEqual({
          match: { name, params },
          search: '',
          hash: '',
          origin: 'https://console.example',
        })
      }),
    )
  })

  test('no value leads out of its route', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...withParams),
        fc.oneof(
          hostile,
          fc.constantFrom('.', '..', '%2e', '%2E%2e', '\ud800', '\udfff.'),
          fc.string({ unit: fc.integer({ min: 0, max: 0xff_ff }).map((unit) => String.fromCharCode(unit)) }),
        ),
        (name, value) => {
          const params = Object.fromEntries(paramNames(name).map((param) => [param, value]))
          const { pathname } = navigated(pathTo(name, params))
          const reached = matchRoute(pathname.slice(3)).name
          // Without an id, the path of a group is that of the list.
          const expected = value === '' ? (name === 'group' ? 'groups' : 'notFound') : name
          expect(reached).toBe(value === 'add' && name === 'user' ? 'userAdd' : expected)
        },
      ),
    )
  })

  test('a value that is missing names nothing', () => {
    expect(pathTo('streamView')).toBe('/stream//view')
    expect(matchRoute(pathTo('streamView')).name).toBe('notFound')
  })
})
