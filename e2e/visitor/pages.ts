/**
 * Every page by docs/behaviour.md §1, §3 and §16, not by the code: its address, titles, links, and
 * who may open it. `{stream}` and the like are replaced by those of the server.
 */

/** The role that is signed in. */
export const roles = ['administrator', 'user', 'readOnly'] as const
export type Role = (typeof roles)[number]

/** Who sees a page, a link or a control. */
export type Right = 'none' | 'administer' | 'addStreams' | 'changeStream' | 'seeMosaic'

/**
 * The user of the model may add three streams, change the stream and owns the mosaic; the read-only user may see that
 * stream.
 */
const rights: Readonly<Record<Role, readonly Right[]>> = {
  administrator: ['none', 'administer', 'addStreams', 'changeStream', 'seeMosaic'],
  user: ['none', 'addStreams', 'changeStream', 'seeMosaic'],
  readOnly: ['none'],
}

export const may = (role: Role, right: Right): boolean => rights[role].includes(right)

export interface Page {
  readonly path: string
  readonly title: string
  /** The only heading of level 1. */
  readonly heading: string
  /** Who may open it; others are refused. */
  readonly for?: Right
  /** How it refuses: with a message and links, or as a page that doesn't exist. */
  readonly refusal?: { readonly message: string; readonly links: Readonly<Record<string, string>> } | 'missing'
  /** Controls on the page by their names, and who sees them. */
  readonly controls: Readonly<Record<string, Right>>
  /** Links in the content with their pages; those that are also controls are seen by the same roles. */
  readonly links?: Readonly<Record<string, string>>
}

export interface Tab {
  readonly label: string
  readonly page: string
  /** Not available on the server of the journeys. */
  readonly isClosed?: boolean
}

export interface Group {
  /** The page has header and toolbar. */
  readonly hasShell: boolean
  /** The header shows the page's title as its heading. */
  readonly isTitled: boolean
  readonly tabs: readonly Tab[]
  /** Links in the header between logo and Add stream. */
  readonly header: readonly { readonly name: string; readonly page: string; readonly currentOn: readonly string[] }[]
  readonly pages: Readonly<Record<string, Page>>
}

const withoutAccess = "You don't have access"
const ofAdministrators = {
  for: 'administer',
  refusal: { message: withoutAccess, links: { 'All streams': 'streams' } },
} as const
const ofStreamAdministrators = {
  for: 'changeStream',
  refusal: { message: withoutAccess, links: { 'Stream info': 'streamInfo' } },
} as const
const ofMosaic = { for: 'seeMosaic', refusal: 'missing' } as const

const workspaceTabs: readonly Tab[] = [
  { label: 'Mosaics', page: 'mosaics' },
  { label: 'Plans', page: 'plans' },
  { label: 'Bookmarks', page: 'bookmarks' },
  { label: 'Events', page: 'events' },
  { label: 'Exports', page: 'exports' },
  { label: 'Help', page: 'help' },
]

export const groups: Readonly<Record<string, Group>> = {
  workspace: {
    hasShell: true,
    isTitled: true,
    header: [],
    tabs: workspaceTabs,
    pages: {
      streams: {
        path: '/streams',
        title: 'Streams',
        heading: 'Streams',
        controls: { 'Search streams': 'none', Filters: 'none', Gate: 'none', Vault: 'administer' },
        links: { Gate: 'streamView' },
      },
      mosaics: {
        path: '/mosaics',
        title: 'Mosaics',
        heading: 'Mosaics',
        controls: { 'Create mosaic': 'none', Edit: 'seeMosaic', 'Delete North side': 'seeMosaic' },
        links: { 'Create mosaic': 'createMosaic', Edit: 'mosaicEdit' },
      },
      plans: {
        path: '/plans',
        title: 'Floor plans',
        heading: 'Floor plans',
        controls: {
          'Add floor plan': 'administer',
          'Edit Ground floor': 'administer',
          'Delete Ground floor': 'administer',
        },
        links: { 'Ground floor': 'plan', 'Edit Ground floor': 'planEdit' },
      },
      bookmarks: {
        path: '/bookmarks',
        title: 'Bookmarks',
        heading: 'Bookmarks',
        controls: { 'Search bookmarks': 'none', Edit: 'none', Delete: 'none' },
      },
      events: {
        path: '/events',
        title: 'Events',
        heading: 'Events',
        controls: { Camera: 'none', Type: 'none', Label: 'none', From: 'none', To: 'none', Apply: 'none' },
      },
      exports: {
        path: '/exports',
        title: 'Exports',
        heading: 'Exports',
        controls: { 'Choose a file': 'none', 'Expected public key': 'none' },
      },
      help: {
        path: '/help',
        title: 'Help',
        heading: 'Help',
        controls: { 'Main tasks': 'none', 'Keyboard shortcuts': 'none' },
        links: { 'all streams': 'streams' },
      },
      addStream: {
        path: '/add-stream',
        title: 'Add stream',
        heading: 'Add stream',
        for: 'addStreams',
        refusal: { message: "You can't add streams", links: { 'All streams': 'streams' } },
        controls: { 'Several at once': 'none' },
      },
      createMosaic: {
        path: '/create-mosaic',
        title: 'Create mosaic',
        heading: 'Create mosaic',
        controls: { Layout: 'none', Save: 'none' },
      },
    },
  },
  stream: {
    hasShell: true,
    isTitled: false,
    header: [
      { name: 'Gate', page: 'streamView', currentOn: [] },
      {
        name: 'Stream info',
        page: 'streamInfo',
        currentOn: ['streamInfo', 'streamSettings', 'streamMasks', 'streamPermissions', 'streamDebug'],
      },
    ],
    tabs: [
      { label: 'Watch', page: 'streamView' },
      { label: 'Info', page: 'streamInfo' },
      { label: 'Settings', page: 'streamSettings' },
      { label: 'Permissions', page: 'streamPermissions' },
      { label: 'Debug', page: 'streamDebug' },
    ],
    pages: {
      streamView: {
        path: '/stream/{stream}/view',
        title: 'Stream {stream}',
        heading: 'Gate',
        controls: { Player: 'none', Timeline: 'none', Calendar: 'none', Download: 'none' },
      },
      streamInfo: {
        path: '/stream/{stream}/info',
        title: 'Stream info {stream}',
        heading: 'Stream info',
        controls: {
          Watch: 'none',
          Pause: 'changeStream',
          Delete: 'changeStream',
          Withdraw: 'changeStream',
          Probe: 'changeStream',
        },
        links: { Watch: 'streamView' },
      },
      streamSettings: {
        path: '/stream/{stream}/setting',
        title: 'Stream settings {stream}',
        heading: 'Stream settings',
        ...ofStreamAdministrators,
        controls: { Save: 'none' },
        links: { 'Privacy masks': 'streamMasks' },
      },
      streamMasks: {
        path: '/stream/{stream}/masks',
        title: 'Privacy masks {stream}',
        heading: 'Privacy masks',
        ...ofStreamAdministrators,
        controls: { 'Add mask': 'none', Save: 'none' },
        links: { 'Stream settings': 'streamSettings' },
      },
      streamPermissions: {
        path: '/stream/{stream}/permission',
        title: 'Stream permissions {stream}',
        heading: 'Stream permissions',
        ...ofStreamAdministrators,
        controls: { Save: 'none' },
      },
      streamDebug: {
        path: '/stream/{stream}/debug',
        title: 'Stream debug {stream}',
        heading: 'Stream debug',
        ...ofStreamAdministrators,
        controls: { 'Probe now': 'none' },
      },
    },
  },
  plan: {
    hasShell: true,
    isTitled: false,
    header: [],
    tabs: workspaceTabs,
    pages: {
      plan: {
        path: '/plan/{plan}',
        title: 'Floor plan',
        heading: 'Ground floor',
        controls: { 'Gate: Running': 'none', Edit: 'administer' },
        links: { 'Gate: Running': 'streamView' },
      },
    },
  },
  planEdit: {
    hasShell: true,
    isTitled: false,
    header: [],
    tabs: workspaceTabs,
    pages: {
      planEdit: {
        path: '/plan/{plan}/edit',
        title: 'Edit floor plan',
        heading: 'Ground floor',
        ...ofAdministrators,
        controls: { Title: 'none', 'Search cameras': 'none', Save: 'none' },
        links: { 'Ground floor': 'plan' },
      },
    },
  },
  mosaic: {
    hasShell: true,
    isTitled: false,
    header: [
      { name: 'North side', page: 'mosaic', currentOn: [] },
      { name: 'Mosaic settings', page: 'mosaicEdit', currentOn: ['mosaicEdit'] },
    ],
    tabs: [
      { label: 'Mosaics', page: 'mosaics' },
      { label: 'Watch', page: 'mosaic' },
      { label: 'Settings', page: 'mosaicEdit' },
    ],
    pages: {
      mosaic: {
        path: '/mosaic/{mosaic}',
        title: 'Mosaic',
        heading: 'North side',
        ...ofMosaic,
        controls: { Archive: 'none' },
      },
      mosaicEdit: {
        path: '/mosaic/{mosaic}/edit',
        title: 'Edit mosaic',
        heading: 'Edit mosaic',
        ...ofMosaic,
        controls: { Layout: 'none', Save: 'none' },
      },
    },
  },
  profile: {
    hasShell: true,
    isTitled: true,
    header: [],
    tabs: [
      { label: 'Info', page: 'profileInfo' },
      { label: 'Edit', page: 'profileEdit' },
      { label: 'Tokens', page: 'tokens' },
      { label: 'Sessions', page: 'sessions' },
    ],
    pages: {
      profileInfo: {
        path: '/profile/me/info',
        title: 'My profile',
        heading: 'My profile',
        controls: { 'Edit profile': 'none', 'Turn on': 'none' },
        links: { 'Edit profile': 'profileEdit' },
      },
      profileEdit: { path: '/profile/me/edit', title: 'My profile', heading: 'My profile', controls: { Save: 'none' } },
      tokens: {
        path: '/profile/me/tokens',
        title: 'My tokens',
        heading: 'My tokens',
        controls: { 'Create token': 'none', 'Delete Backup': 'none' },
      },
      sessions: {
        path: '/profile/me/sessions',
        title: 'Sessions',
        heading: 'Sessions',
        controls: { 'End all others': 'none' },
      },
    },
  },
  user: {
    hasShell: true,
    isTitled: true,
    header: [],
    tabs: [
      { label: 'Info', page: 'userInfo' },
      { label: 'Edit', page: 'userEdit' },
      { label: 'Permissions', page: 'userPermission' },
      { label: 'Sessions', page: 'userSessions' },
    ],
    pages: {
      userInfo: {
        path: '/user/rob/info',
        title: 'User',
        heading: 'User',
        ...ofAdministrators,
        controls: { Block: 'none', Delete: 'none' },
      },
      userEdit: {
        path: '/user/rob/edit',
        title: 'Edit user',
        heading: 'Edit user',
        ...ofAdministrators,
        controls: { Save: 'none' },
      },
      userPermission: {
        path: '/user/rob/permission',
        title: 'User permission',
        heading: 'User permission',
        ...ofAdministrators,
        controls: { 'Search streams': 'none' },
      },
      userSessions: {
        path: '/user/rob/sessions',
        title: 'Sessions',
        heading: 'Sessions',
        ...ofAdministrators,
        controls: { 'End all': 'none' },
      },
    },
  },
  administration: {
    hasShell: true,
    isTitled: false,
    header: [],
    tabs: [
      { label: 'Statistics', page: 'statistics' },
      { label: 'Configuration', page: 'configuration' },
      { label: 'Users', page: 'users' },
      { label: 'Groups', page: 'groups' },
      { label: 'Cluster', page: 'cluster' },
      { label: 'License', page: 'license' },
      { label: 'Server debug', page: 'serverDebug' },
      { label: 'Tunnel', page: 'tunnel', isClosed: true },
      { label: 'Alerts', page: 'alerts' },
      { label: 'Audit logs', page: 'auditLogs' },
    ],
    pages: {
      statistics: {
        path: '/administration/stats',
        title: 'Statistics',
        heading: 'Statistics',
        ...ofAdministrators,
        controls: { Period: 'none' },
      },
      configuration: {
        path: '/administration/config',
        title: 'Configuration',
        heading: 'Configuration',
        ...ofAdministrators,
        controls: { 'Search in the configuration': 'none', Save: 'none' },
      },
      users: {
        path: '/administration/users',
        title: 'Users',
        heading: 'Users',
        ...ofAdministrators,
        controls: { 'Search users': 'none', 'Add user': 'none' },
        links: { 'Add user': 'userAdd', rob: 'userInfo' },
      },
      groups: {
        path: '/administration/groups',
        title: 'Groups',
        heading: 'Groups',
        ...ofAdministrators,
        controls: { 'Search groups': 'none', 'Add user group': 'none', 'Delete Guards': 'none' },
        links: { Guards: 'group' },
      },
      group: {
        path: '/administration/groups/{group}',
        title: 'Group',
        heading: 'Guards',
        ...ofAdministrators,
        controls: { 'Search users': 'none', Save: 'none' },
        links: { 'All groups': 'groups' },
      },
      cluster: {
        path: '/administration/cluster',
        title: 'Cluster',
        heading: 'Cluster',
        ...ofAdministrators,
        controls: { Drain: 'none' },
      },
      license: {
        path: '/administration/license',
        title: 'License',
        heading: 'License',
        ...ofAdministrators,
        controls: { Upload: 'none' },
      },
      serverDebug: {
        path: '/administration/server-debug',
        title: 'Server debug',
        heading: 'Server debug',
        ...ofAdministrators,
        controls: { 'Save the bundle': 'none' },
      },
      tunnel: { path: '/administration/tunnel', title: 'Tunnel', heading: 'Tunnel', ...ofAdministrators, controls: {} },
      alerts: {
        path: '/administration/alerts',
        title: 'Alerts',
        heading: 'Alerts',
        ...ofAdministrators,
        controls: { 'Add alert': 'none', 'Send a test of Night watch': 'none' },
      },
      auditLogs: {
        path: '/administration/audit-logs',
        title: 'Audit logs',
        heading: 'Audit logs',
        ...ofAdministrators,
        controls: { Apply: 'none', 'Download as CSV': 'none' },
      },
    },
  },
  addUser: {
    hasShell: true,
    isTitled: false,
    header: [],
    tabs: [],
    pages: {
      userAdd: {
        path: '/user/add',
        title: 'Add user',
        heading: 'Add user',
        ...ofAdministrators,
        controls: { Add: 'none' },
      },
    },
  },
  documentation: {
    hasShell: true,
    isTitled: true,
    header: [],
    tabs: [],
    pages: {
      swagger: {
        path: '/swagger',
        title: 'API documentation',
        heading: 'API documentation',
        ...ofAdministrators,
        controls: { 'Select a call': 'none' },
      },
    },
  },
  alone: {
    hasShell: false,
    isTitled: false,
    header: [],
    tabs: [],
    pages: {
      recoverPassword: {
        path: '/recover-password',
        title: 'Recover password',
        heading: 'Recover password',
        controls: { 'Send code': 'none' },
        links: { 'Back to sign in': 'auth' },
      },
      notFound: {
        path: '/not-found',
        title: 'Page not found',
        heading: 'Page not found',
        controls: { 'Go to all streams': 'none' },
        links: { 'Go to all streams': 'main' },
      },
      nowhere: {
        path: '/nowhere/at/all',
        title: 'Page not found',
        heading: 'Page not found',
        controls: { 'Go to all streams': 'none' },
        links: { 'Go to all streams': 'main' },
      },
    },
  },
}

/** Only visible when signed out. */
export const entrance: Page = {
  path: '/auth',
  title: 'Authorization',
  heading: 'Sign in',
  controls: { 'Sign in': 'none', Login: 'none', Password: 'none' },
}

/** The addresses that redirect to another page for every role. */
export const redirects: Readonly<Record<string, { readonly path: string; readonly page: string }>> = {
  main: { path: '/', page: 'streams' },
  auth: { path: '/auth', page: 'streams' },
  init: { path: '/init', page: 'streams' },
  profile: { path: '/profile/me', page: 'profileInfo' },
  user: { path: '/user/rob', page: 'userInfo' },
  stream: { path: '/stream/{stream}', page: 'streamInfo' },
  administration: { path: '/administration', page: 'statistics' },
  licenseShortcut: { path: '/license', page: 'license' },
}

/** A stream of another user, which only administrators may see. */
export const hidden = { path: '/stream/{hidden}/view' } as const

export const pages: Readonly<Record<string, Page>> = Object.assign(
  {},
  ...Object.values(groups).map((group) => group.pages),
)

export const mayOpen = (role: Role, page: string): boolean => may(role, pages[page]?.for ?? 'none')

/** The page that an address, by its name here, opens for a role. */
export function openedBy(role: Role, name: string): string {
  const page = redirects[name]?.page ?? name
  return !mayOpen(role, page) && pages[page]?.refusal === 'missing' ? 'notFound' : page
}

/** The tabs of the toolbar on a group's pages, each with whether it is enabled; none if all its pages are refused. */
export function tabsFor(role: Role, { tabs, pages: members }: Group): readonly (Tab & { readonly isOpen: boolean })[] {
  if (Object.keys(members).every((page) => !mayOpen(role, page))) return []
  return tabs.map((tab) => ({ ...tab, isOpen: tab.isClosed !== true && mayOpen(role, tab.page) }))
}
