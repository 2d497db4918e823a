import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The success messages of spec.md §8 and of the console's own actions, by code. */
const messages: Readonly<Record<string, MessageDescriptor>> = {
  codeSent: msg`Code has been sent to {email}`,
  passwordChanged: msg`Password has been changed`,
  profileUpdated: msg`Profile has been updated`,
  configurationSaved: msg`The configuration has been saved`,
  streamSaved: msg`Stream settings has been saved`,
}

export const successText = (code: string): MessageDescriptor => messages[code] ?? msg`Done`
