import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createActor } from 'xstate'
import { setGuest } from './api/call.ts'
import { whenIdle } from './api/browser/idle.ts'
import { readGuest } from './api/browser/share-token.ts'
import { stopTransitionEvents } from './api/browser/transitions.ts'
import { i18n } from './i18n/i18n.ts'
import { AppView } from './views/app/AppView.tsx'
import { ConsoleProvider } from './views/app/console.ts'
import { app, appInput, preload } from './wiring/app.ts'
import { viewOf } from './wiring/pages.ts'
import './views/theme/tokens.css'
import './views/theme/fonts.css'
import './views/theme/forced-colours.css'

stopTransitionEvents()
const guest = readGuest()
if (guest !== null) setGuest(guest)
const input = appInput({ isShared: guest !== null })
preload(input)

const actor = createActor(app, { input, systemId: 'app' })
if (import.meta.env.MODE !== 'production') await import('./views/dev/dev.ts').then(({ watch }) => watch(actor))

actor.start()

const extras = () => import('./wiring/shell/extras.ts')
const copyText = async (text: string) => (await extras()).copyText(text)
const saveText = async (name: string, type: string, text: string) => (await extras()).saveText(name, type, text)

const root = document.querySelector('#root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <ConsoleProvider value={{ app: actor, viewOf, extras, copyText, saveText, whenIdle }}>
          <AppView />
        </ConsoleProvider>
      </I18nProvider>
    </StrictMode>,
  )
}
