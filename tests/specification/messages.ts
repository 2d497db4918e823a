import { type Proof, type Section, row, tests } from './row.ts'

/** docs/behaviour.md §14: every code and message, word for word, and when it is shown. */

/** The catalogue; the two rows without a code are the console's `NoResponse` and the empty code. */
export const catalogue: Readonly<Record<string, string>> = {
  ACCESS_DENIED_ERR: 'Access denied',
  Unavailable: 'Unavailable',
  Forbidden: "You don't have access",
  InternalServerError: 'Internal server error',
  '': 'Something went wrong',
  ValidationError: 'Validation error',
  NotFound: 'Not found',
  NoResponse: 'Server is not responding',
  IncorrectLicense: 'License is incorrect',
  LicenseExpired: 'License is missing or expired',
  EnterpriseOnly: 'Enterprise only',
  AuthorizationRequired: 'You are not authorized',
  RequestDecodeError: 'Request decode error',
  ResponseEncodeError: 'Response encode error',
  TimeRangeIsTooLong: 'Time range is too long',
  AuthorizationFailed: 'Incorrect login or password',
  PasswordIsNotComplexEnough: 'Password is not complex enough',
  InvalidOldPassword: 'Invalid old password',
  OldPasswordAndNewPasswordCannotBeSame: 'Old password and new password cannot be same',
  QuotaReached: 'Quota is reached',
  FeatureNotFound: "The feature didn't find in the license",
  AlreadyUsed: 'Already used',
}

/** Known codes without a message. */
export const wordless: readonly string[] = [
  'ProbeError',
  'AuditLogsDisabled',
  'BadRequest',
  'ActionNotAcceptable',
  'LifetimeCodeRequired',
  'TooManyRequests',
  'UnknownLifetimeCode',
  'EHOSTUNREACH',
  'HTTP_NOT_FOUND',
  'HTTP_UNAUTHORIZED',
  'SecondFactorRequired',
  'SharePasswordRequired',
]

/** Other messages of the console: the one about an unknown e-mail is the specification's, the others are its own. */
export const ownErrors: Readonly<Record<string, string>> = {
  userNotFound: 'User with email ann@example.org has not found',
  UnreadableReply: 'Something went wrong',
  TooManyRequests: 'Too many attempts. Wait a little and try again.',
  SnapshotFailed: 'The snapshot could not be saved',
  LanguageNotLoaded: 'The language could not be loaded',
  lastAdministrator: "The last administrator can't be removed, blocked or made an ordinary user",
  passkeyRejected: 'The passkey was not accepted. Sign in with your password.',
  initialPasswordExpired: 'This password has expired. Ask your administrator for a new one.',
}

/** Success messages of the specification, with ann@example.org for {email}. */
export const successes: Readonly<Record<string, string>> = {
  codeSent: 'Code has been sent to ann@example.org',
  passwordChanged: 'Password has been changed',
  profileUpdated: 'Profile has been updated',
  streamSaved: 'Stream settings has been saved',
}

/** The console's own, with bob for {name} and 2 for {count}. */
export const ownSuccesses: Readonly<Record<string, string>> = {
  configurationSaved: 'The configuration has been saved',
  tokenDeleted: 'The token has been deleted',
  sessionEnded: 'The session has ended',
  sessionsEnded: 'The other sessions have ended',
  userCreated: 'The user has been added',
  streamAdded: 'The stream has been added',
  userUpdated: 'The user has been saved',
  userBlocked: 'The user has been blocked',
  userUnblocked: 'The user may sign in again',
  userDeleted: 'The user has been deleted',
  bookmarkSaved: 'The bookmark has been saved',
  groupSaved: 'The group bob has been saved',
  planSaved: 'The floor plan bob has been saved',
  alertSaved: 'The alert bob has been saved',
  exportStarted: 'The export has started: see Exports',
  recordingLocked: 'The recording is locked',
  recordingsLocked: 'The recordings of 2 cameras are locked',
  masksSaved: 'The privacy masks have been saved',
  permissionsSaved: 'Permissions have been saved',
}

/** The health warnings with their own texts. */
export const banners: readonly string[] = ['LICENSE_EXPIRATION', 'ALLOC_DIR_DISK_SPACE', 'CLUSTER_NODE_DRAINED']

/** Health warnings that aren't in the specification. */
export const ownBanners: Readonly<Record<string, string>> = {
  CLUSTER_NODE_LOST: 'A node of the cluster is not responding. Other nodes record its streams.',
  CLUSTER_CLOCK_SKEW:
    'The clock of this node is off by more than a second. Recordings are dated by the clock of the database.',
  CLOCK_STEPPED_BACK: "The server's clock went back. New recordings may overlap older ones.",
  DATABASE_AWAY:
    "The database can't be reached. Recording continues; the archive can be played again when the database is back.",
  FFMPEG_NOT_ISOLATED: "The video decoder isn't isolated from the network on this server.",
  ARCHIVE_TAKEOVER: 'Recordings of an older version are being converted: 40% done. They can be played meanwhile.',
  ARCHIVE_VOLUME_MISSING:
    "Archive volumes are missing: /mnt/b (3 GB). Recordings on them can't be played until they are back. Nothing is deleted.",
  ARCHIVE_VOLUME_UNWRITABLE: 'Archive volumes are not writable: /mnt/c, /mnt/d.',
  ARCHIVE_NO_VOLUME: 'No archive volume is available: nothing is being recorded.',
  ARCHIVE_BUCKET_BEHIND:
    'Recordings are waiting on this server for upload to the bucket: s3://site/ (3 GB). Recording continues.',
  ARCHIVE_BUCKET_CONFLICT:
    'Recordings stay on this server because the bucket has other objects with the same names: door/2026112108/1.mp4.',
  ARCHIVE_SPOOL_FULL: 'The disk is full of recordings that wait for upload to the bucket: nothing is being recorded.',
  ARCHIVE_FULL_OF_LOCKED:
    'Locked recordings fill the maximum size of the archive. Besides them, only the last half hour is kept.',
  QUOTA_FULL_OF_LOCKED:
    'Locked recordings fill the quota of streams: Door (3 GB). Besides them, only the last half hour is kept.',
  MQTT_AWAY: "The MQTT broker can't be reached. Events are kept until it is available again.",
  OIDC_AWAY: "The single sign-on service can't be reached. Users can't sign in with it.",
  PROCESSOR_OVERLOADED:
    'The processor of this server is overloaded. Live video may be late, and video that must be transcoded may not play.',
}

const profilePages = tests('tests/views/people.test.tsx')
const streamViews = tests('tests/views/stream-pages.test.tsx')
const userPages = tests('tests/views/users.test.tsx')
const read = tests('src/i18n/errors.test.ts')('%s reads %s')
const toast = tests('src/views/app/Toasts.test.tsx')('says the words of every code')
const generic = tests('src/i18n/errors.test.ts')('%s reads as the generic words and the code')
const success = tests('src/i18n/errors.test.ts')('success %s reads %s')
const russian = tests('src/i18n/errors.test.ts')('all of it is spoken in Russian')

const toasts = tests('src/views/app/Toasts.test.tsx')
const shell = tests('src/views/shell/Shell.test.tsx')
const browser = tests('e2e/console/shell.spec.ts')
const people = tests('e2e/console/people.spec.ts')
const streamPages = tests('e2e/console/stream-pages.spec.ts')
const health = tests('src/machines/health/health.machine.test.ts')
const page = tests('src/machines/app/page.region.test.ts')

/** The tests that show the console's own messages. */
const ownProofs: Readonly<Record<string, readonly Proof[]>> = {
  userNotFound: profilePages('names the address that no user has, and keeps what was typed'),
  UnreadableReply: tests('src/api/call.test.ts')('%s is unreadable, and the console says where'),
  TooManyRequests: tests('src/machines/recovery/recovery.machine.test.ts')(
    'waits for the Retry-After of the code and of the password separately',
  ),
  SnapshotFailed: tests('src/machines/player/player.view.test.ts')("a snapshot that can't be saved shows a toast"),
  initialPasswordExpired: tests('src/machines/session/sign-in.machine.test.ts')(
    'an expired initial password has its own message',
  ),
  passkeyRejected: tests('tests/views/passkeys.test.tsx')('a rejected passkey leads back to the password'),
  lastAdministrator: userPages('are blocked, unblocked and deleted, and the last administrator stays'),
  configurationSaved: tests('src/machines/administration/configuration.machine.test.ts')(
    'opens a form with the values, saves them and shows a toast',
  ),
  tokenDeleted: people('one is created, its secret shown once, and one is deleted after a confirmation'),
  sessionEnded: profilePages('sessions are listed newest first, in words, and ended when asked twice'),
  sessionsEnded: profilePages('sessions are listed newest first, in words, and ended when asked twice'),
  userCreated: userPages('a new one keeps what was typed when the login is taken'),
  streamAdded: tests('e2e/console/add-stream.spec.ts')(
    'adds several at once from a list, each line with its own result',
  ),
  userUpdated: userPages('only what changed is saved, and a changed login is followed'),
  userBlocked: userPages('are blocked, unblocked and deleted, and the last administrator stays'),
  userUnblocked: userPages('are blocked, unblocked and deleted, and the last administrator stays'),
  userDeleted: userPages('are blocked, unblocked and deleted, and the last administrator stays'),
  groupSaved: tests('tests/views/groups.test.tsx')(
    'a user group is added, gets members and permissions, and is saved by the fewest calls',
  ),
  planSaved: tests('tests/views/plans.test.tsx')(
    'cameras are placed, moved, turned and removed, by a pointer and by keys, and saved together',
  ),
  alertSaved: tests('tests/views/alerts.test.tsx')(
    'an alert is added, edited, tested and deleted by the calls of the contract alone',
  ),
  exportStarted: tests('e2e/real/exports.spec.ts')(
    'what is marked is exported, downloaded, and checked as unchanged, tampered and truncated, in …',
  ),
  recordingLocked: tests('e2e/real/locks.spec.ts')(
    'what is marked is locked, shown on the timeline, listed and unlocked, in …',
  ),
  recordingsLocked: tests('e2e/real/locks.spec.ts')('what is marked in a mosaic is locked of its cameras, in …'),
  masksSaved: tests('tests/views/masks.test.tsx')('are drawn, moved and resized by a pointer, and saved together'),
  bookmarkSaved: tests('e2e/real/bookmarks.spec.ts')(
    'bookmarks that the server keeps: listed with pictures, searched, edited, deleted, opened',
  ),
  permissionsSaved: people('are granted thousands of streams at once'),
}

/** The tests of the specification's successes. */
const proofsOf: Readonly<Record<string, readonly Proof[]>> = {
  codeSent: people('sends a code, counts down across a reload, and changes the password'),
  passwordChanged: people('sends a code, counts down across a reload, and changes the password'),
  profileUpdated: profilePages('saves only what changed, speaks the chosen language at once and knows who one is now'),
  streamSaved: streamPages('saves everything as the contract has it, and says so'),
}

const named = (code: string) =>
  code === '' ? 'unknown server error' : code === 'NoResponse' ? 'no server response' : code

export const messageSections: readonly Section[] = [
  {
    title: 'Error catalogue ([§14](behaviour.md#14-error-messages))',
    rows: Object.entries(catalogue).map(([code, words]) => row(`${named(code)}: ${words}`, read, toast, russian)),
  },
  {
    title: 'Codes known without a message ([§14](behaviour.md#14-error-messages))',
    rows: wordless.map((code) => row(code, code in ownErrors ? toasts('%s, of our own, reads %s') : generic)),
  },
  {
    title: 'What is reported, and what is not ([§4.5](behaviour.md#45-toasts-and-errors))',
    rows: [
      row('Errors show a toast with a title and a message (from the server reply code)', toast),
      row('or a custom one', toasts('can be of words of its own')),
      row('at top-right', browser('an error is shown at the top right')),
      row(
        'NotFound on a GET is not toasted (it redirects, see section 7)',
        streamViews('a stream that is not there leads to not found'),
        page("whose object doesn't exist leads to not-found, without a history entry"),
      ),
      row(
        'A forbidden reply when loading a stream is recorded as a page-level error instead of a toast',
        streamPages('a forbidden reply stops the polling and is the error of the page'),
        tests('src/machines/stream/stream.machine.test.ts')(
          'a forbidden reply ends polling, is the error of the page, and can be retried',
        ),
      ),
      row(
        'A mosaic load answered with ValidationError goes to the not-found page',
        tests('src/machines/mosaics/mosaic.machine.test.ts')(
          '%s %s leads to the page that says so (docs/behaviour.md §10)',
        ),
        streamViews(
          'a mosaic that is answered with ValidationError is not found, watched or edited; a stream so answered is asked for again',
        ),
      ),
      row(
        "Password reset answered with NotFound shows 'User with email {email} has not found'",
        profilePages('names the address that no user has, and keeps what was typed'),
        toasts('names whom a reset could not find'),
      ),
      row(
        'Health failures (no response, or status 500 or above) show the server-not-responding error or the reply-code error',
        health(
          '%o is reported as %o',
          'shows one toast, not again once closed, and withdraws it with the next response',
        ),
      ),
      row(
        'Settings failures likewise',
        page(
          'the last ones stay after a failed request, whose toast is withdrawn by the next success',
          'a fetch that failed is tried again when the server answers',
        ),
      ),
      row(
        'Calendar configuration mistakes are raised as property errors',
        tests('src/machines/calendar/calendar.machine.test.ts')(
          '%j: %s',
          'invalid ones are an error until valid ones arrive',
        ),
      ),
    ],
  },
  {
    title: 'Success messages ([§4.5](behaviour.md#45-toasts-and-errors))',
    rows: Object.entries(successes).map(([code, words]) => row(words, success, proofsOf[code] ?? [])),
  },
  {
    title: 'Banners ([§4.4](behaviour.md#44-banners))',
    rows: [
      row(
        "LICENSE_EXPIRATION: 'License will expire at {day}. Addition streams and watching archive will be disabled. Upload a new license to ensure uninterrupted service. If you do not have a license you can buy it.'",
        shell('say what the catalogue says', 'say it in Russian, with its numbers'),
      ),
      row(
        'with links to upload a licence and to get one',
        shell('link to the upload of a licence, and to where one is to be had'),
      ),
      row(
        "ALLOC_DIR_DISK_SPACE: 'The archive directory is running out of memory, more than {usedPercent}% used.'",
        shell('say what the catalogue says', 'say it in Russian, with its numbers'),
      ),
      row(
        "CLUSTER_NODE_DRAINED: 'This node is drained. Start the node to return to the cluster.'",
        shell('say what the catalogue says'),
      ),
      row(
        'This one cannot be dismissed',
        shell('are dismissed one by one, but for the drained node'),
        health('a drained node is always shown, whatever is stored'),
      ),
      row(
        "Expired licence banner: 'License is missing or expired. Addition streams and watching archive has been disabled.' followed by an upload link",
        shell('an expired licence says so, with a link to the upload'),
      ),
    ],
  },
  {
    title: "The console's own messages",
    rows: [
      ...Object.entries(ownErrors).map(([code, words]) =>
        row(`${code}: ${words}`, toasts('%s, of our own, reads %s'), ownProofs[code] ?? []),
      ),
      ...Object.entries(ownSuccesses).map(([code, words]) => row(`${code}: ${words}`, success, ownProofs[code] ?? [])),
      ...Object.entries(ownBanners).map(([code, words]) =>
        row(`${code}: ${words}`, shell('say what the catalogue says')),
      ),
    ],
  },
]
