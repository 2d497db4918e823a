import { withMessages } from '../../i18n/i18n.ts'
import { deferred } from '../ui/deferred.ts'

export const shuttle = deferred(() => withMessages(import('./Shuttle.tsx')))
