import { withMessages } from '../../i18n/i18n.ts'
import { deferred } from '../ui/deferred.ts'

/** The dialogs and lists of the player, loaded when one opens, or before. */
export const panels = deferred(() => withMessages(import('./panel-parts.ts')))
