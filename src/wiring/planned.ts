import { PlannedPage } from '../views/planned/PlannedPage.tsx'
import type { Page } from './page.ts'
import { setup } from 'xstate'

export const page: Page = { logic: setup({}).createMachine({ id: 'planned' }), View: PlannedPage }
