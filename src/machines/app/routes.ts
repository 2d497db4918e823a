/**
 * The one table of routes (docs/behaviour.md §3): name, path below /ui, title, who may enter, header, tool-bar tabs and
 * page. A page names a machine and its view; src/wiring/pages.ts loads them.
 */

type Entry = 'anyone' | 'user' | 'admin'
/** `none`: neither header nor toolbar; `blank`: a header that says nothing of the page. */
type HeaderKind = 'none' | 'streams' | 'stream' | 'mosaic' | 'title' | 'blank'
export type TabSet = 'workspace' | 'stream' | 'mosaic' | 'profile' | 'user' | 'administration'

interface RouteShape {
  path: string
  title: TitleCode
  entry: Entry
  header: HeaderKind
  tabs?: TabSet
  redirect?: string
  /** The page exists only if the settings' `features` have it. */
  feature?: string
  /** The page whose tab is current, if the page has none of its own. */
  within?: string
}

type TitleCode =
  | 'streams'
  | 'mosaics'
  | 'addStream'
  | 'administration'
  | 'users'
  | 'configuration'
  | 'statistics'
  | 'cluster'
  | 'authorization'
  | 'recoverPassword'
  | 'bookmarks'
  | 'events'
  | 'exports'
  | 'help'
  | 'init'
  | 'notFound'
  | 'myProfile'
  | 'myTokens'
  | 'stream'
  | 'streamPermissions'
  | 'streamSettings'
  | 'streamMasks'
  | 'streamInfo'
  | 'editUser'
  | 'userPermission'
  | 'addUser'
  | 'license'
  | 'serverDebug'
  | 'streamDebug'
  | 'createMosaic'
  | 'mosaic'
  | 'editMosaic'
  | 'plans'
  | 'plan'
  | 'editPlan'
  | 'sessions'
  | 'tunnel'
  | 'auditLogs'
  | 'alerts'
  | 'groups'
  | 'group'
  | 'user'
  | 'apiDocumentation'

const administration = { entry: 'admin', header: 'blank', tabs: 'administration' } as const
const stream = { entry: 'user', header: 'stream', tabs: 'stream' } as const
const profile = { entry: 'user', header: 'title', tabs: 'profile' } as const
const user = { entry: 'admin', header: 'title', tabs: 'user' } as const
const plan = { entry: 'user', header: 'blank', tabs: 'workspace', feature: 'plans' } as const
const workspace = { entry: 'user', header: 'title', tabs: 'workspace' } as const

export const routes = {
  main: { ...workspace, path: '/', title: 'streams', redirect: '/streams' },
  streams: { ...workspace, path: '/streams', title: 'streams', header: 'streams' },
  mosaics: { ...workspace, path: '/mosaics', title: 'mosaics' },
  auth: { path: '/auth', title: 'authorization', entry: 'anyone', header: 'none' },
  recoverPassword: { path: '/recover-password', title: 'recoverPassword', entry: 'anyone', header: 'none' },
  init: { path: '/init', title: 'init', entry: 'anyone', header: 'none' },
  profile: { ...profile, path: '/profile/me', title: 'myProfile', redirect: '/profile/me/info' },
  profileInfo: { ...profile, path: '/profile/me/info', title: 'myProfile' },
  profileEdit: { ...profile, path: '/profile/me/edit', title: 'myProfile' },
  tokens: { ...profile, path: '/profile/me/tokens', title: 'myTokens' },
  sessions: { ...profile, path: '/profile/me/sessions', title: 'sessions' },
  userAdd: { path: '/user/add', title: 'addUser', entry: 'admin', header: 'blank' },
  user: { ...user, path: '/user/:login', title: 'user', redirect: '/user/:login/info' },
  userInfo: { ...user, path: '/user/:login/info', title: 'user' },
  userEdit: { ...user, path: '/user/:login/edit', title: 'editUser' },
  userPermission: { ...user, path: '/user/:login/permission', title: 'userPermission' },
  userSessions: { ...user, path: '/user/:login/sessions', title: 'sessions' },
  streamView: { ...stream, path: '/stream/:uid/view', title: 'stream' },
  stream: { ...stream, path: '/stream/:uid', title: 'stream', redirect: '/stream/:uid/info' },
  streamInfo: { ...stream, path: '/stream/:uid/info', title: 'streamInfo' },
  streamSettings: { ...stream, path: '/stream/:uid/setting', title: 'streamSettings' },
  streamMasks: {
    ...stream,
    path: '/stream/:uid/masks',
    title: 'streamMasks',
    feature: 'masks',
    within: 'streamSettings',
  },
  streamPermissions: { ...stream, path: '/stream/:uid/permission', title: 'streamPermissions' },
  streamDebug: { ...stream, path: '/stream/:uid/debug', title: 'streamDebug' },
  addStream: { ...workspace, path: '/add-stream', title: 'addStream' },
  createMosaic: { ...workspace, path: '/create-mosaic', title: 'createMosaic' },
  mosaic: { path: '/mosaic/:id', title: 'mosaic', entry: 'user', header: 'mosaic', tabs: 'mosaic' },
  mosaicEdit: { path: '/mosaic/:id/edit', title: 'editMosaic', entry: 'user', header: 'mosaic', tabs: 'mosaic' },
  plans: { ...workspace, path: '/plans', title: 'plans', feature: 'plans' },
  plan: { ...plan, path: '/plan/:id', title: 'plan' },
  planEdit: { ...plan, path: '/plan/:id/edit', title: 'editPlan', entry: 'admin' },
  administration: {
    ...administration,
    path: '/administration',
    title: 'administration',
    redirect: '/administration/stats',
  },
  statistics: { ...administration, path: '/administration/stats', title: 'statistics' },
  configuration: { ...administration, path: '/administration/config', title: 'configuration' },
  users: { ...administration, path: '/administration/users', title: 'users' },
  groups: { ...administration, path: '/administration/groups', title: 'groups', feature: 'groups' },
  group: { ...administration, path: '/administration/groups/:id', title: 'group', feature: 'groups', within: 'groups' },
  cluster: { ...administration, path: '/administration/cluster', title: 'cluster' },
  license: { ...administration, path: '/administration/license', title: 'license' },
  serverDebug: { ...administration, path: '/administration/server-debug', title: 'serverDebug' },
  tunnel: { ...administration, path: '/administration/tunnel', title: 'tunnel' },
  auditLogs: { ...administration, path: '/administration/audit-logs', title: 'auditLogs' },
  alerts: { ...administration, path: '/administration/alerts', title: 'alerts', feature: 'alerts' },
  licenseShortcut: { ...administration, path: '/license', title: 'license', redirect: '/administration/license' },
  bookmarks: { ...workspace, path: '/bookmarks', title: 'bookmarks' },
  events: { ...workspace, path: '/events', title: 'events', feature: 'events' },
  exports: { ...workspace, path: '/exports', title: 'exports', feature: 'exports' },
  help: { ...workspace, path: '/help', title: 'help' },
  swagger: { path: '/swagger', title: 'apiDocumentation', entry: 'admin', header: 'title' },
  notFound: { path: '/not-found', title: 'notFound', entry: 'anyone', header: 'none' },
} as const satisfies Record<string, RouteShape>

export type RouteName = keyof typeof routes
export type Params = Readonly<Record<string, string>>

export interface RouteMatch {
  name: RouteName
  params: Params
}

export const routeOf = (name: RouteName): RouteShape => routes[name]

const isRouteName = (name: string): name is RouteName => Object.hasOwn(routes, name)

export const routeNames: readonly RouteName[] = Object.keys(routes).filter(isRouteName)

const table = routeNames.map((name) => ({ name, parts: routes[name].path.split('/') }))

/** Ignores a trailing slash; an unknown path is `notFound`. */
export function matchRoute(pathname: string): RouteMatch {
  const parts = pathname.replace(/(?<=.)\/+$/, '').split('/')
  for (const { name, parts: pattern } of table) {
    const params = matchParts(pattern, parts)
    if (params !== null) return { name, params }
  }
  return { name: 'notFound', params: {} }
}

function matchParts(pattern: readonly string[], parts: readonly string[]): Params | null {
  if (pattern.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (!expected.startsWith(':')) {
      if (expected !== part) return null
      continue
    }
    const value = decoded(part)
    if (value === null || value === '') return null
    params[expected.slice(1)] = value
  }
  return params
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

export function pathTo(name: RouteName, params: Params = {}): string {
  return fill(routes[name].path, params)
}

/** Replaces each `:name` of a path by its value, encoded as one segment. */
export function fill(path: string, params: Params): string {
  return path.replace(/:([a-zA-Z]+)/g, (_, name: string) => encoded(params[name] ?? ''))
}

/**
 * Browsers resolve the segments `.` and `..` even when written `%2E`. Encoded twice, they lead to an object that
 * doesn't exist instead of to another page. A lone surrogate becomes the replacement character.
 */
function encoded(value: string): string {
  const part = encodeURIComponent(value.toWellFormed())
  return /^\.{1,2}$/.test(part) ? part.replaceAll('.', '%252E') : part
}
