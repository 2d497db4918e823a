import { withMessages } from '../../i18n/i18n.ts'
import { deferred } from '../ui/deferred.ts'

/** The bar of the selected streams. */
export const bulkBar = deferred(() => withMessages(import('./BulkBar.tsx')))
