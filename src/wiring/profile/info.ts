import { setup } from 'xstate'
import { ProfileInfoPage } from '../../views/profile/ProfileInfoPage.tsx'
import { definePage } from '../page.ts'

export const page = definePage({ logic: setup({}).createMachine({ id: 'profileInfo' }), View: ProfileInfoPage })
