import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The success messages of docs/behaviour.md §4.5 and of the console's own actions, by code. */
const messages: Readonly<Record<string, MessageDescriptor>> = {
  codeSent: msg`Code has been sent to {email}`,
  passwordChanged: msg`Password has been changed`,
  profileUpdated: msg`Profile has been updated`,
  configurationSaved: msg`The configuration has been saved`,
  // To the letter as docs/behaviour.md §4.5 has it.
  streamSaved: msg`Stream settings has been saved`,
  masksSaved: msg`The privacy masks have been saved`,
  tokenDeleted: msg`The token has been deleted`,
  sessionEnded: msg`The session has ended`,
  sessionsEnded: msg`The other sessions have ended`,
  userCreated: msg`The user has been added`,
  streamAdded: msg`The stream has been added`,
  userUpdated: msg`The user has been saved`,
  userBlocked: msg`The user has been blocked`,
  userUnblocked: msg`The user may sign in again`,
  userDeleted: msg`The user has been deleted`,
  bookmarkSaved: msg`The bookmark has been saved`,
  planSaved: msg`The floor plan {name} has been saved`,
  groupSaved: msg`The group {name} has been saved`,
  alertSaved: msg`The alert {name} has been saved`,
  exportStarted: msg`The export has started: see Exports`,
  recordingLocked: msg`The recording is locked`,
  recordingsLocked: msg`The recordings of {count} cameras are locked`,
  permissionsSaved: msg`Permissions have been saved`,
}

export const successText = (code: string): MessageDescriptor =>
  (Object.hasOwn(messages, code) && messages[code]) || msg`Done`
