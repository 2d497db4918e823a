import { withMessages } from '../../i18n/i18n.ts'
import { deferred } from '../ui/deferred.ts'

export const selectionBar = deferred(() => withMessages(import('./SelectionBar.tsx')))
