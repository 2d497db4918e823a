import { I18nProvider } from '@lingui/react'
import type { ReactNode } from 'react'
import { i18n } from '../../src/i18n/i18n.ts'

/** For `renderHook`: what hooks that translate need around them. */
export const wrapper = ({ children }: { children: ReactNode }) => <I18nProvider i18n={i18n}>{children}</I18nProvider>
