import { withMessages } from '../../i18n/i18n.ts'
import { deferred } from '../ui/deferred.ts'

/** What opens beside or over the player by a press. */
export const panels = deferred(() => withMessages(import('./panel-parts.ts')))
