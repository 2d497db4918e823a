import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { TitleCode } from '../../machines/app/routes.ts'

/** What the screens that are still to come are for, in a sentence. */
export const purposes: Partial<Record<TitleCode, MessageDescriptor>> = {
  apiDocumentation: msg`Every call of the server's interface.`,
}
