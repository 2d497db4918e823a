import { HelpPage } from '../../views/help/HelpPage.tsx'
import { still } from '../page.ts'

export const page = still(HelpPage)
