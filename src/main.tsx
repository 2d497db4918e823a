import { createRoot } from 'react-dom/client'
import { createActor } from 'xstate'
import { setGuest } from './api/call.ts'
import { consolePath } from './api/console-path.ts'
import { whenIdle } from './api/browser/idle.ts'
import { readGuest, watchShareLinks } from './api/browser/share-token.ts'
import { stopTransitionEvents } from './api/browser/transitions.ts'
import { ConsoleRoot } from './views/app/ConsoleRoot.tsx'
import { app, appInput, preload } from './wiring/app.ts'
import { takeOver } from './wiring/entrance/take-over.ts'
import { viewOf } from './wiring/pages.ts'
import { textPorts } from './wiring/shell/texts.ts'
import './views/theme/tokens.css'
import './views/theme/fonts.css'
import './views/theme/forced-colours.css'

stopTransitionEvents()
const guest = readGuest()
if (guest !== null) setGuest(guest)
watchShareLinks()
const input = appInput({ isShared: guest !== null })
preload(input)

const actor = createActor(app, { input, systemId: 'app' })
if (import.meta.env.MODE !== 'production') await import('./views/dev/dev.ts').then(({ watch }) => watch(actor))

actor.start()

const extras = () => import('./wiring/shell/extras.ts')

const root = document.querySelector<HTMLElement>('#root')
if (root !== null) {
  const tree = (
    <ConsoleRoot value={{ app: actor, consolePath, viewOf, extras, ...textPorts(actor.system, extras), whenIdle }} />
  )
  if (root.hasChildNodes()) takeOver(root, actor, tree)
  else createRoot(root).render(tree)
}
