import { HelpPage } from '../../views/help/HelpPage.tsx'
import { staticPage } from '../page.ts'

export const page = staticPage(HelpPage)
