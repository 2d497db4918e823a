import { type Proof, type Row, type Section, row, tests } from './row.ts'

/** docs/behaviour.md §4.1: routes, titles, navigation, header, menu, toolbar, side panel, start-up. */

const profilePages = tests('tests/views/people.test.tsx')
const wholeShell = tests('tests/views/shell.test.tsx')
const userPages = tests('tests/views/users.test.tsx')
const table = tests('src/machines/app/routes.test.ts')('every path is that of the specification')
const titled = tests('src/views/app/AppView.test.tsx')(
  'the document is titled by the page, as the specification lists them',
)
const axe = tests('e2e/real/screens.spec.ts')('every screen is there and free of what axe can find, … in …')

const shell = tests('src/views/shell/Shell.test.tsx')
const routes = tests('src/machines/app/routes.test.ts')
const destination = tests('src/machines/app/destination.test.ts')
const startUp = tests('src/machines/app/start-up.test.ts')
const session = tests('src/machines/app/session.region.test.ts')
const page = tests('src/machines/app/page.region.test.ts')
const panel = tests('src/machines/side-panel/side-panel.machine.test.ts')
const list = tests('src/views/streams/StreamsPage.test.tsx')
const browser = tests('e2e/console/shell.spec.ts')
const entrance = tests('tests/views/start-up.test.tsx')
const people = tests('e2e/console/people.spec.ts')
const streamPages = tests('e2e/console/stream-pages.spec.ts')
const administration = tests('tests/views/administration.test.tsx')
const redirects = tests('tests/views/shell.test.tsx')(
  'what leads elsewhere leads there: the main page, a stream, a user, the profile, administration and licence',
)

type Route = readonly [path: string, claim: string, ...proofs: (readonly Proof[])[]]

/** Every path below /ui, as in src/machines/app/routes.ts. */
const routeTable: readonly Route[] = [
  ['/', 'main: workspace shell; redirects to the streams list', redirects],
  ['/streams', 'streams (all streams)', list('every card leads to the player and says how the stream is')],
  ['/mosaics', 'mosaics (all mosaics)', axe],
  [
    '/auth',
    'Sign-in',
    entrance('signs in, keeps the login after a wrong password, and returns to where one was going'),
  ],
  [
    '/recover-password',
    'Password recovery',
    people('sends a code, counts down across a reload, and changes the password'),
  ],
  ['/init', 'Server initialisation', entrance('a locked server leads to its initialization, and unlocking signs in')],
  ['/profile/me', 'profile: redirects to info', redirects],
  ['/profile/me/info', 'profile, info', axe],
  [
    '/profile/me/edit',
    'profile, edit',
    profilePages('saves only what changed, speaks the chosen language at once and knows who one is now'),
  ],
  [
    '/profile/me/tokens',
    'profile, tokens',
    people('one is created, its secret shown once, and one is deleted after a confirmation'),
  ],
  [
    '/profile/me/sessions',
    'profile, sessions',
    profilePages('sessions are listed newest first, in words, and ended when asked twice'),
  ],
  ['/user/add', 'Create a user', userPages('a new one keeps what was typed when the login is taken')],
  ['/user/:login', 'user: redirects to info', redirects],
  [
    '/user/:login/info',
    'user, info',
    userPages('are blocked, unblocked and deleted, and the last administrator stays'),
  ],
  ['/user/:login/edit', 'user, edit', userPages('only what changed is saved, and a changed login is followed')],
  [
    '/user/:login/permission',
    "permission (the user's stream permissions)",
    people('are granted thousands of streams at once'),
  ],
  [
    '/user/:login/sessions',
    'user, sessions',
    tests('src/machines/sessions/sessions.machine.test.ts')(
      "of a user describe the user, and lead to not-found if the user doesn't exist",
    ),
  ],
  [
    '/stream/:uid/view',
    'stream view (player): live and archive playback',
    tests('e2e/real/main-job.spec.ts')(
      'sign in, watch a camera live, and go back half an hour to the picture of that time',
    ),
  ],
  ['/stream/:uid', 'stream: redirects to info', redirects],
  ['/stream/:uid/info', 'stream, info', streamPages('shows what the stream is and its state, and asks every second')],
  ['/stream/:uid/setting', 'stream, setting', streamPages('saves everything as the contract has it, and says so')],
  [
    '/stream/:uid/masks',
    'stream, privacy masks',
    tests('tests/views/masks.test.tsx')('are drawn, moved and resized by a pointer, and saved together'),
  ],
  [
    '/stream/:uid/permission',
    'stream, permission',
    streamPages('permissions: finds a user, gives rights, saves the whole list and shows what came back'),
  ],
  [
    '/stream/:uid/debug',
    'stream, debug',
    streamPages('debug: tails the log after the last line, filters, pauses and keeps its scroll position'),
  ],
  [
    '/add-stream',
    'add stream',
    tests('e2e/console/add-stream.spec.ts')('probes the source, shows how it looks, adds it and opens its player'),
  ],
  [
    '/create-mosaic',
    'create mosaic',
    tests('src/machines/mosaics/mosaic-edit.machine.test.ts')('a new one starts empty, is saved, and then watched'),
    axe,
  ],
  [
    '/mosaic/:id',
    'watch mosaic',
    tests('e2e/real/mosaic-sync.spec.ts')('nine tiles go to a moment together, pause at one frame, and step by one'),
  ],
  [
    '/mosaic/:id/edit',
    'edit mosaic',
    tests('src/machines/mosaics/mosaic-edit.machine.test.ts')(
      'an existing one is fetched first, and each change of the grid can be undone',
    ),
    axe,
  ],
  ['/administration', 'administration: redirects to stats', redirects],
  [
    '/administration/stats',
    'administration, stats',
    administration('every call of the administration is made where it belongs'),
    axe,
  ],
  [
    '/administration/config',
    'administration, config',
    administration('every call of the administration is made where it belongs'),
    axe,
  ],
  ['/administration/users', 'administration, users', userPages('are searched, sorted and counted')],
  [
    '/administration/cluster',
    'administration, cluster',
    administration('every call of the administration is made where it belongs'),
    axe,
  ],
  [
    '/administration/license',
    'administration, license',
    tests('src/machines/administration/license.machine.test.ts')(
      'a valid licence clears the form, shows the new state and has the settings fetched again',
    ),
    axe,
  ],
  [
    '/administration/server-debug',
    'administration, server-debug',
    administration('every call of the administration is made where it belongs'),
    axe,
  ],
  [
    '/administration/tunnel',
    'administration, tunnel',
    administration('every call of the administration is made where it belongs'),
    axe,
  ],
  [
    '/administration/audit-logs',
    'administration, audit-logs',
    administration('every call of the administration is made where it belongs'),
    axe,
  ],
  ['/license', 'redirects to the administration licence page', redirects],
  [
    '/bookmarks',
    'bookmarks',
    tests('e2e/real/bookmarks.spec.ts')(
      'bookmarks that the server keeps: listed with pictures, searched, edited, deleted, opened',
    ),
  ],
  [
    '/plans',
    'floor plans',
    tests('tests/views/plans.test.tsx')(
      'plans are listed, added, and deleted when that is confirmed; others only look at them',
    ),
    axe,
  ],
  [
    '/plan/:id',
    'floor plan',
    tests('tests/views/plans.test.tsx')(
      'a plan shows its cameras with their state and picture; they open by Enter, and several as a mosaic',
    ),
    axe,
  ],
  [
    '/plan/:id/edit',
    'edit floor plan',
    tests('tests/views/plans.test.tsx')(
      'cameras are placed, moved, turned and removed, by a pointer and by keys, and saved together',
    ),
    axe,
  ],
  [
    '/events',
    'events',
    tests('tests/views/events.test.tsx')(
      'events are found by camera, type, label and time, which the address has and the browser remembers',
    ),
    axe,
  ],
  [
    '/administration/groups',
    'groups',
    tests('tests/views/groups.test.tsx')('groups are listed by kind, searched, and deleted when that is confirmed'),
    axe,
  ],
  [
    '/administration/groups/:id',
    'group',
    tests('tests/views/groups.test.tsx')(
      'a user group is added, gets members and permissions, and is saved by the fewest calls',
    ),
    axe,
  ],
  [
    '/administration/alerts',
    'alerts',
    tests('tests/views/alerts.test.tsx')(
      'an alert is added, edited, tested and deleted by the calls of the contract alone',
      'what was sent is listed, a page at a time, where the server says it',
    ),
    axe,
  ],
  [
    '/exports',
    'exports',
    tests('tests/views/exports.test.tsx')(
      'exports are listed with their state, downloaded, cancelled and deleted',
      'a file is checked here: unchanged, with another key, changed, truncated and none',
    ),
    axe,
  ],
  ['/help', 'help', axe],
  [
    '/swagger',
    'API documentation, opened by the menu',
    tests('src/machines/api-documentation/api-documentation.machine.test.ts')(
      'a request is filled in and sent with the session, and its response is shown',
    ),
    axe,
  ],
  [
    '/not-found',
    'catch-all: any other path shows the page-not-found screen',
    shell('not on an unknown path, even for a user'),
    entrance('shows who may not enter, and what is not there'),
  ],
]

/** Only the paths. */
export const paths: readonly string[] = routeTable.map(([path]) => path)

/** The page titles of the specification, which lists `Mosaics` twice. */
export const titles: readonly string[] = [
  'Streams',
  'Mosaics',
  'Add stream',
  'Administration',
  'Users',
  'Configuration',
  'Statistics',
  'Cluster',
  'Authorization',
  'Recover password',
  'Bookmarks',
  'Help',
  'Server initialization',
  'Page not found',
  'My profile',
  'My tokens',
  'Stream',
  'Stream permissions',
  'Stream settings',
  'Stream info',
  'Edit user',
  'User permission',
  'Add user',
  'License',
  'Server debug',
  'Stream debug',
  'Create mosaic',
  'Mosaic',
  'Sessions',
  'Tunnel',
  'Audit logs',
]

const toggles = list('the toggles say what is on')

const rules: Readonly<Record<string, readonly Row[]>> = {
  'Start-up ([§2](behaviour.md#2-start-up))': [
    row(
      'The application first fetches configuration, then user settings; a health check and the current-user fetch also run',
      startUp('fetches configuration, then settings, then health beside the user, and starts the page'),
      entrance('asks configuration, then settings, then health beside the user'),
    ),
    row(
      'If the user-settings fetch fails, the app starts as signed out using the browser language',
      startUp('settings that fail: signed out, with one toast, and health is polled all the same'),
      entrance(
        'starts signed out in the browser language when the settings fail',
        'settings that fail leave its language',
      ),
    ),
    row(
      'If the configuration fetch fails, the app starts without configuration',
      entrance('goes on without a configuration'),
    ),
  ],
  'Navigation ([§3](behaviour.md#3-routes-and-navigation))': [
    row('The document title is set from the page name', titled),
    row(
      'On stream pages it also carries the stream uid',
      titled,
      shell('on %s the name leads to the view and the info link is current or not'),
    ),
    row(
      'Before each navigation, if no post-login destination is stored yet, the target route name and params are stored',
      session('only the first navigation is stored'),
      destination('is read back, its query too'),
    ),
    row('in session storage', wholeShell('where one was going is kept in the session storage, by name and params')),
    row(
      'not where the target is auth, recover-password, init or not-found',
      session('%s is never stored'),
      destination('auth, password recovery, init and not-found are not worth coming back to (docs/behaviour.md §3)'),
    ),
    row(
      'Settings are re-fetched on every navigation',
      page('are fetched again on each change of path, not of query or fragment'),
      entrance('fetches the settings again on each change of path, not of query'),
    ),
    row('After navigation the page scrolls to the top', browser('a new page starts at its top')),
  ],
  'Header ([§4.1](behaviour.md#41-header-and-toolbar))': [
    row(
      'Header and tool bar are shown only when a user is loaded, the page is not auth, init or password recovery, and the route is known',
      shell(
        'not on %s',
        'not on an unknown path, even for a user',
        'on every page of a user, and on one that is forbidden, with one main alone',
      ),
    ),
    row(
      'A logo linking to the all-streams page',
      shell('the logo leads to all streams, named by the title: configuration %o, settings %o'),
    ),
    row('An add-stream button, hidden for read-only users', shell('Add stream is there for whoever may add one')),
    row(
      'Stream pages: the stream name links to the stream view; an info icon links to stream info, active on the info, settings, debug and permission pages',
      shell('on %s the name leads to the view and the info link is current or not'),
    ),
    row(
      "Mosaic pages: the mosaic name links to watching it; a settings icon linking to edit only if the mosaic's meta.canAdmin is true",
      shell('on a mosaic its name leads to watching it; settings only for who administers it'),
    ),
    row('All-streams page, toggle: group by tag or no grouping', toggles),
    row('All-streams page, toggle: grid or table view', toggles),
    row('All-streams page, toggle: only available streams or all streams', toggles),
    row(
      'Other pages: the page title (blank for administration pages and user add)',
      shell('on %s it says %o, the document %o'),
      routes('the header is blank on administration and user add, and away on auth, init, recovery and not-found'),
    ),
  ],
  'Menu ([§4.2](behaviour.md#42-menu))': [
    row('Profile', shell('has its entries by their rules, in order', 'links lead where they say')),
    row('Administration (admins only)', shell('has its entries by their rules, in order', 'links lead where they say')),
    row(
      'Switch server (only if the server switcher is enabled; only on android or ios devices)',
      shell('Switch server on %s'),
      browser('servers can be switched, and nothing scrolls sideways'),
    ),
    row(
      'More features (a pricing link; non-enterprise only)',
      shell('has its entries by their rules, in order', 'links lead where they say'),
      wholeShell('a regular user of the enterprise edition has a shorter menu'),
    ),
    row(
      'Documentation (only if a link is configured)',
      shell('has its entries by their rules, in order', 'links lead where they say'),
    ),
    row(
      'API documentation (admins only; opens /ui/swagger in a new tab)',
      shell('has its entries by their rules, in order'),
      browser('the menu holds each entry by its rule'),
    ),
    row('Logout', shell('Log out signs out'), entrance('signing out clears the user and asks to sign in')),
    row(
      'The menu also shows the version and an admin flag',
      shell('shows whether one is an administrator, the version and the edition'),
    ),
    row(
      'and the language choice',
      shell('a language is chosen in it'),
      wholeShell('the language chosen in the menu takes effect at once and is saved'),
    ),
  ],
  'Toolbar ([§4.1](behaviour.md#41-header-and-toolbar))': [
    row('An All streams link', shell('on %s has %o, and %s is current')),
    row('An Add stream link (hidden for read-only profiles)', shell('Add stream is there for whoever may add one')),
    row('Contextual tabs, each with label, icon, link', shell('on %s has %o, and %s is current')),
    row('params', shell('tabs carry the params of the page')),
    row(
      'and a disabled flag',
      shell(
        'a stream that one does not administer has its settings, permissions and log disabled',
        'Tunnel is enabled only with its feature and a licence that is not expired, Cluster only in a cluster',
      ),
    ),
  ],
  'Side panel ([§4.3](behaviour.md#43-side-panel))': [
    row(
      'Opens and closes with a short animation',
      panel('opens and closes with a short animation, and notifies its page at once'),
    ),
    row(
      'Closes on an outside click when it holds fixed content, or on small screens (height at most 600 or width under 615)',
      panel(
        '%s: open after a press outside',
        'a screen is small at a height of at most 600 or a width under 615 (docs/behaviour.md §4.3)',
      ),
    ),
    row(
      'A resize handler is debounced by 100 ms',
      panel('closes by itself 100 ms after the screen has become small, and only then'),
    ),
  ],
  'All streams ([§5](behaviour.md#5-streams-list))': [
    row('Search', list('Enter adds a search value, which can be taken away again')),
    row(
      'Group, switch grid or table, filter to available streams',
      toggles,
      list('in a table, grouped, a stream stands under each of its tags and the untagged come last'),
    ),
    row('Open a stream', list('every card leads to the player and says how the stream is')),
    row(
      'Persisted client preferences: viewModeKey, groupType, searchingValues, isShownAvailableStreams, isOpenAside',
      tests('src/machines/streams/preferences.test.ts')('is exactly the five preferences (docs/behaviour.md §5)'),
    ),
    row('stored under the all-streams key', wholeShell('the view of all streams is kept under all-streams')),
  ],
  'Player ([§7](behaviour.md#7-player))': [
    row(
      'Live view',
      tests('e2e/real/main-job.spec.ts')(
        'sign in, watch a camera live, and go back half an hour to the picture of that time',
      ),
    ),
    row(
      'Archive playback with a timeline',
      tests('e2e/real/main-job.spec.ts')(
        'sign in, watch a camera live, and go back half an hour to the picture of that time',
      ),
    ),
    row(
      'Playback speed, zoom',
      tests('e2e/real/moments.spec.ts')('every speed is offered'),
      tests('e2e/walk/timeline.spec.ts')('moving, zooming and centring the band'),
    ),
    row(
      'Calendar to pick days',
      tests('e2e/real/moments.spec.ts')('by keyboard, the calendar leads to a day, and takes a period'),
    ),
    row(
      'Annotations',
      tests('e2e/real/moments.spec.ts')(
        'annotations beside the picture are filtered by type, and lead to their moment',
      ),
    ),
    row(
      'Archive download',
      tests('e2e/real/clips.spec.ts')(
        'a clip that is too long for one file is saved in parts while one goes elsewhere',
      ),
    ),
  ],
}

export const screenSections: readonly Section[] = [
  {
    title: 'Routes ([§3](behaviour.md#3-routes-and-navigation))',
    rows: routeTable.map(([path, claim, ...proofs]) => row(`\`${path}\`: ${claim}`, table, ...proofs)),
  },
  {
    title: 'Page titles ([§3](behaviour.md#3-routes-and-navigation))',
    rows: titles.map((title) => row(title, titled)),
  },
  ...Object.entries(rules).map(([title, rows]) => ({ title, rows })),
]
