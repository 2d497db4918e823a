import { type Proof, type Section, row, tests } from './row.ts'

/** docs/wire.md §5: every call, and the use of its answer. */

const profilePages = tests('tests/views/people.test.tsx')
const streamViews = tests('tests/views/stream-pages.test.tsx')
const userPages = tests('tests/views/users.test.tsx')
const made = tests('src/api/resources/calls.test.ts')('%s is made as written')
const media = tests('src/api/resources/calls.test.ts')('playlists and downloads have a URL')
const served = tests('tests/server/access/access.test.ts')('every call of docs/wire.md §5 is there')

const streams = tests('src/machines/streams/streams.machine.test.ts')
const refresh = tests('src/machines/streams/streams.refresh.test.ts')
const stream = tests('src/machines/stream/stream.machine.test.ts')
const addStream = tests('e2e/console/add-stream.spec.ts')
const streamPages = tests('e2e/console/stream-pages.spec.ts')
const probing = tests('src/machines/stream-pages/probing.machine.test.ts')
const people = tests('e2e/console/people.spec.ts')
const accounts = tests('tests/server/users/accounts.test.ts')
const profile = tests('tests/server/users/profile.test.ts')
const serverStreams = tests('tests/server/streams/streams.test.ts')
const serverMosaics = tests('tests/server/streams/mosaics.test.ts')
const serverArchive = tests('tests/server/archive/archive.test.ts')
const mosaic = tests('src/machines/mosaics/mosaic.machine.test.ts')
const mosaicEdit = tests('src/machines/mosaics/mosaic-edit.machine.test.ts')
const player = tests('src/machines/player/player.view.test.ts')
const tiles = tests('src/machines/timeline/chunks.machine.test.ts')
const startUp = tests('src/machines/app/start-up.test.ts')
const session = tests('src/machines/app/session.region.test.ts')
const page = tests('src/machines/app/page.region.test.ts')
const health = tests('src/machines/health/health.machine.test.ts')
const screens = tests('tests/views/administration.test.tsx')
const wire = tests('src/api/call.test.ts')

type Call = readonly [call: string, claim: string, ...proofs: (readonly Proof[])[]]

const table: readonly Call[] = [
  [
    'GET /v1/streams',
    'query page, groupType, sortType, onlyAvailable (isOnlyAvailable for the status refresh), searchingValues',
    streams('carries grouping, order, filter and search values'),
    refresh('requests the pages in sight every 10 s and merges them in place'),
    serverStreams('is searched in names, sources, tags and locations, in any script, by every value'),
  ],
  [
    'POST /v1/stream',
    'creates a stream, returns uid; timeout 35 s',
    addStream('probes the source, shows how it looks, adds it and opens its player'),
    serverStreams('is made, read, changed, paused, resumed and deleted'),
  ],
  [
    'GET /v1/stream/{uid}',
    'query extend_lease=true when the stream is live on demand and playing',
    stream('extends the lease only while a live on-demand stream is playing'),
    serverStreams('an on-demand stream starts with its first viewer and stops when its lease ends'),
  ],
  ['PUT /v1/stream/{uid}', 'saves settings', streamPages('saves everything as the contract has it, and says so')],
  [
    'DELETE /v1/stream/{uid}',
    'query purge=true',
    streamPages('asks before deleting, names what goes, and takes the archive by default'),
    tests('tests/server/archive/recording.test.ts')('a deleted stream leaves nothing behind when it is purged'),
  ],
  [
    'POST /v1/stream/pause/{uid}',
    'returns status',
    streamViews('pauses and resumes, and applies the status that comes back'),
  ],
  [
    'POST /v1/stream/resume/{uid}',
    'returns status',
    streamViews('pauses and resumes, and applies the status that comes back'),
  ],
  [
    'GET /v1/stream/probe',
    'query url and stream_id; timeout 60 s',
    probing('fetches the tracks first and then the picture, one connection at a time'),
  ],
  [
    'GET /v1/stream/preview',
    'query url and stream_id; timeout 60 s',
    probing('fetches the tracks first and then the picture, one connection at a time'),
    serverArchive('a preview shows the picture of its moment, and nothing in a gap'),
  ],
  [
    'GET /v1/stream/{uid}/logs',
    'polled',
    streamPages('debug: tails the log after the last line, filters, pauses and keeps its scroll position'),
  ],
  [
    'GET /v1/stream/{uid}/share',
    'a stream can be shared publicly',
    streamPages('shares on a press only: link, QR code, and a withdrawal that asks first'),
    serverStreams('a share is switched on by a click, stays the same, and ends'),
  ],
  [
    'DELETE /v1/stream/{uid}/share',
    'and public access can be withdrawn',
    streamPages('shares on a press only: link, QR code, and a withdrawal that asks first'),
    tests('e2e/console/shared-link.spec.ts')(
      'a link that is answered … from some moment on says that it was withdrawn, after a reload too',
    ),
  ],
  [
    'GET /v1/stream/{uid}/permissions',
    'lists them',
    streamPages('permissions: finds a user, gives rights, saves the whole list and shows what came back'),
  ],
  [
    'POST /v1/stream/{uid}/permissions',
    'sends the permissions and receives the updated list',
    streamPages('permissions: finds a user, gives rights, saves the whole list and shows what came back'),
  ],
  [
    'GET /v1/stream/{uid}/archive/index.m3u8',
    'playlist; query start_time and end_time in archive mode',
    media,
    player('a pick in a fragment loads the playlist from there to its end'),
    serverArchive(
      'has the segments of the range, from the one that contains its start, each with its date; a discontinuity at each gap',
    ),
  ],
  [
    'GET /v1/stream/{uid}/archive/ranges',
    'query start_time, end_time; response period, ranges; cancellable',
    tiles('aborts a request that is out of sight, and keeps one that is partly in sight'),
    serverArchive('ranges say what is recorded and what is not, for the requested period'),
  ],
  [
    'GET /v1/stream/{uid}/archive/stats',
    'response period',
    tests('src/machines/stream-pages/info.machine.test.ts')(
      'fetches the recorded days only for users who may view the archive, in their zone',
    ),
  ],
  [
    'GET /v1/stream/{uid}/archive/available-days',
    'query start_time, end_time; response list of days',
    tests('src/machines/stream-pages/info.machine.test.ts')(
      'fetches the recorded days only for users who may view the archive, in their zone',
    ),
    serverArchive('days are those of the requested time zone'),
  ],
  [
    'GET /v1/stream/{uid}/archive/download',
    'query start_time, end_time, timezone_offset in minutes',
    media,
    serverArchive(
      'has different names for the two hours that a clock shows twice',
      'longer than archiveDownloadMaxSeconds, or of nothing, is refused',
    ),
  ],
  [
    'GET /v1/annotations',
    'query streamId, from, to',
    tests('e2e/real/moments.spec.ts')('annotations beside the picture are filtered by type, and lead to their moment'),
  ],
  [
    'POST /v1/sign-in',
    'body name, password; response includes mustChangePassword',
    tests('src/machines/session/sign-in.machine.test.ts')(
      'sends name and password, and notifies the root whether the password must be changed',
    ),
  ],
  ['POST /v1/sign-out', '', session('clears the user and the destination, and leads to sign-in')],
  [
    'GET /v1/user',
    'current user',
    startUp('fetches configuration, then settings, then health beside the user, and starts the page'),
  ],
  [
    'PATCH /v1/user',
    'any of email, password, oldPassword, language, fullName, name',
    profilePages('saves only what changed, speaks the chosen language at once and knows who one is now'),
    profile('changes what is given and answers the user'),
  ],
  ['GET /v1/users', '', userPages('are searched, sorted and counted')],
  [
    'POST /v1/user/{login}/block',
    '',
    userPages('are blocked, unblocked and deleted, and the last administrator stays'),
    accounts('blocks a user, whose calls stop at once by cookie and token, and unblocks'),
  ],
  [
    'POST /v1/user/{login}/unblock',
    '',
    userPages('are blocked, unblocked and deleted, and the last administrator stays'),
    accounts('blocks a user, whose calls stop at once by cookie and token, and unblocks'),
  ],
  ['GET /v1/user/{login}/permissions', '', people('are granted thousands of streams at once')],
  [
    'POST /v1/user/{login}/permissions',
    '',
    people('are granted thousands of streams at once'),
    accounts("replaces a user's permissions as a whole; more includes less"),
  ],
  [
    'GET /v1/user/{login}/sessions',
    '',
    tests('src/machines/sessions/sessions.machine.test.ts')(
      "of a user describe the user, and lead to not-found if the user doesn't exist",
    ),
    accounts("sees and ends a user's sessions"),
  ],
  ['DELETE /v1/user/{login}/session/{id}', '', accounts("sees and ends a user's sessions")],
  ['GET /v1/tokens', '', people('one is created, its secret shown once, and one is deleted after a confirmation')],
  [
    'POST /v1/token',
    'body expireTime, name',
    people('one is created, its secret shown once, and one is deleted after a confirmation'),
    profile('are shown once, work as Bearer until they expire or are deleted, and are kept hashed'),
  ],
  [
    'DELETE /v1/token/{id}',
    '',
    people('one is created, its secret shown once, and one is deleted after a confirmation'),
  ],
  ['GET /v1/sessions', '', profilePages('sessions are listed newest first, in words, and ended when asked twice')],
  [
    'POST /v1/sessions/terminate',
    '',
    profilePages('sessions are listed newest first, in words, and ended when asked twice'),
  ],
  [
    'DELETE /v1/session/{id}',
    '',
    profilePages('sessions are listed newest first, in words, and ended when asked twice'),
  ],
  [
    'POST /v1/password/send-reset',
    'body email; response header retry-after in seconds',
    people('sends a code, counts down across a reload, and changes the password'),
    tests('src/machines/recovery/recovery.machine.test.ts')('sends a code, and another only after the retry delay'),
    wire('has the seconds of retry-after'),
  ],
  [
    'POST /v1/password/reset',
    'body code, password, email',
    people('sends a code, counts down across a reload, and changes the password'),
  ],
  ['GET /v1/mosaics', '', serverMosaics("is its owner's and the administrators', unknown to others")],
  ['POST /v1/mosaic', 'create', mosaicEdit('a new one starts empty, is saved, and then watched')],
  [
    'POST /v1/mosaic/{id}',
    'save',
    mosaicEdit('an existing one is fetched first, and each change of the grid can be undone'),
    serverMosaics('is saved as a whole; a tile whose stream is gone keeps its cell'),
  ],
  [
    'GET /v1/mosaic/{id}',
    'with extend_lease=true when playing',
    mosaic('paused or hidden it plays nothing and extends no lease'),
    serverMosaics('comes with the streams that the caller may see, whose leases it extends'),
  ],
  ['DELETE /v1/mosaic/{id}', '', serverMosaics('is deleted for good; malformed and unknown ids are not found')],
  [
    'GET /v1/system/internal/ui/settings',
    '',
    page('are fetched again on each change of path, not of query or fragment'),
  ],
  [
    'GET /v1/system/health',
    'response version, warnings',
    health('waits for the request to start, then polls at once and every 60 s'),
  ],
  [
    'GET /v1/system/license',
    'on the licence resource',
    tests('src/machines/administration/license.machine.test.ts')(
      'a valid licence clears the form, shows the new state and has the settings fetched again',
    ),
  ],
  [
    'PUT /v1/system/license',
    'body text; settings are re-fetched afterwards',
    tests('src/machines/administration/license.machine.test.ts')(
      'a valid licence clears the form, shows the new state and has the settings fetched again',
    ),
    tests('tests/server/administration/license.test.ts')('is taken where its signature holds, and makes the edition'),
  ],
  [
    'POST /v1/system/unlock',
    '',
    tests('tests/views/start-up.test.tsx')('a locked server leads to its initialization, and unlocking signs in'),
    tests('tests/server/administration/unlock.test.ts')(
      'unlock creates the administrator, signs in and answers the user; afterwards it is refused',
    ),
  ],
  [
    'GET /v1/system/logs',
    '',
    screens('every call of the administration is made where it belongs'),
    tests('tests/server/http/server-log.test.ts')(
      "administrators read the server's own log on from the last line, without secrets",
    ),
  ],
  [
    'GET /v1/system/stats',
    '',
    screens('every call of the administration is made where it belongs'),
    accounts('gauges are numbers'),
  ],
  [
    'GET /v1/system/search',
    '',
    tests('e2e/console/palette.spec.ts')('Ctrl K finds streams, mosaics, users and pages, and the keyboard goes there'),
    accounts('search answers only what the caller may see'),
  ],
  ['GET /v1/system/internal/ui/nodes', '', streamViews('offers the nodes in a cluster')],
  [
    'GET /v1/admin/stats',
    '',
    screens('every call of the administration is made where it belongs'),
    tests('tests/server/administration/statistics.test.ts')(
      'are what was measured, each with its unit, for administrators',
    ),
  ],
  [
    'GET /v1/admin/configuration',
    '',
    screens('every call of the administration is made where it belongs'),
    tests('tests/server/administration/configuration.test.ts')(
      'has values, and a JSON Schema that a form can be made of',
    ),
  ],
  [
    'GET /v1/admin/audit-logs',
    '',
    screens('every call of the administration is made where it belongs'),
    tests('tests/server/audit/audit.test.ts')('is filtered by time, login and action, a page at a time'),
  ],
  [
    'GET /v1/system/cluster/nodes',
    '',
    screens('every call of the administration is made where it belongs'),
    tests('tests/server/cluster/cluster.test.ts')(
      'the cluster is this one node: shown, drained, returned, never removed',
    ),
  ],
  ['DELETE /v1/system/cluster/node/{id}', '', screens('every call of the administration is made where it belongs')],
  [
    'POST /v1/system/cluster/node/{id}/drain',
    'a drain call',
    screens('every call of the administration is made where it belongs'),
    tests('tests/server/cluster/cluster.test.ts')(
      'a drained node records nothing, says so of its streams, and goes on when it is returned',
    ),
  ],
  [
    'GET /v1/system/cluster/streams',
    '',
    tests('tests/server/cluster/cluster.test.ts')(
      'one server records every stream, and neither moves nor pins any elsewhere',
    ),
  ],
  [
    'POST /v1/system/cluster/stream/{uid}/move',
    '',
    tests('tests/server/cluster/cluster.test.ts')(
      'one server records every stream, and neither moves nor pins any elsewhere',
    ),
  ],
  [
    'POST /v1/tunnel/start',
    '',
    screens('every call of the administration is made where it belongs'),
    tests('tests/server/administration/tunnel.test.ts')(
      'leads from the address of its program to this server, until it is stopped',
    ),
  ],
  [
    'POST /v1/tunnel/stop',
    '',
    screens('every call of the administration is made where it belongs'),
    tests('tests/server/administration/tunnel.test.ts')(
      'leads from the address of its program to this server, until it is stopped',
    ),
  ],
  ['GET /v1/tunnel/status', '', screens('every call of the administration is made where it belongs')],
]

/** Only method and path of the calls. */
export const calls: readonly string[] = table.map(([call]) => call)

export const callSections: readonly Section[] = [
  {
    title: 'Calls ([wire §5](wire.md#5-calls))',
    rows: table.map(([call, claim, ...proofs]) =>
      row(
        claim === '' ? `\`${call}\`` : `\`${call}\`: ${claim}`,
        proofs.includes(media) ? [] : made,
        served,
        ...proofs,
      ),
    ),
  },
  {
    title: 'What is done with answers ([§3](behaviour.md#3-routes-and-navigation))',
    rows: [
      row(
        'An external version-check call exists',
        tests('src/api/resources/calls.test.ts')('the version check goes to the configured URL, without credentials'),
        tests('tests/views/shell.test.tsx')('a newer version is shown in the menu'),
      ),
      row(
        '404 on a GET: redirect to the not-found page',
        page("whose object doesn't exist leads to not-found, without a history entry"),
        streamViews('a stream that is not there leads to not found'),
      ),
      row(
        '401: redirect to auth',
        session('leads to sign-in and back to the current address, its query too'),
        tests('tests/views/start-up.test.tsx')('a later 401 leads to sign-in and back to the same address, query too'),
      ),
      row(
        '423: redirect to the init page',
        session('a 423 from any call locks the console, whatever the settings say', 'leads to init from %s too'),
      ),
      row(
        'No response at all: the server-not-responding error',
        wire('if the connection breaks'),
        tests('tests/views/shell.test.tsx')('an unanswered call is reported as a server that is not responding'),
      ),
      row(
        'Other errors go to the shared error handler',
        tests('src/views/app/Toasts.test.tsx')('says the words of every code'),
        session('that is refused keeps the user and shows a toast'),
      ),
    ],
  },
]
