import { PlannedPage } from '../views/planned/PlannedPage.tsx'
import { still } from './page.ts'

export const page = still(PlannedPage)
