import { I18nProvider } from '@lingui/react'
import { type ComponentProps, StrictMode } from 'react'
import { i18n } from '../../i18n/i18n.ts'
import { AppView } from './AppView.tsx'
import { ConsoleProvider } from './console.ts'

/** The whole page. The build also renders the sign-in page with it, as static HTML (src/wiring/entrance). */
export function ConsoleRoot({ value }: Pick<ComponentProps<typeof ConsoleProvider>, 'value'>) {
  return (
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <ConsoleProvider value={value}>
          <AppView />
        </ConsoleProvider>
      </I18nProvider>
    </StrictMode>
  )
}
