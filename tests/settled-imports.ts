import { afterAll, vi } from 'vitest'

/* Files of a process share modules: what one file still loads when it ends would fail to load in the next one, too. */
afterAll(() => vi.dynamicImportSettled())
