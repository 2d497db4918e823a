import { withMessages } from '../../i18n/i18n.ts'
import { deferred } from '../ui/deferred.ts'

/** The look of a toast and the words of every code: loaded once the first screen is there. */
export const toasts = deferred(() => withMessages(import('./Toast.tsx'), 'shell'))

/** What is shown in place of a page that the visitor may not open, or that isn't there. */
export const closedPage = deferred(() => withMessages(import('./ClosedPage.tsx')))
