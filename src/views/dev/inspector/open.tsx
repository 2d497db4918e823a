import { createRoot, type Root } from 'react-dom/client'
import { createActor, type ActorRefFrom } from 'xstate'
import { copyText, saveText } from '../../../wiring/shell/extras.ts'
import type { Recorder } from '../record/recorder.ts'
import { Inspector } from './Inspector.tsx'
import { inspectorMachine, payloadOf, type Dock } from './inspector.machine.ts'
import styles from './Inspector.module.css'
import { sendTo } from './sendable.ts'
import { isShortcut } from './shortcut.ts'

interface Shown {
  dock: Dock
  root: Root
  host: HTMLElement
  popup: Window | null
}

/** Starts the inspector, closed. Its machine runs in a separate system, so that it doesn't inspect itself. */
export function createInspector(recorder: Recorder): ActorRefFrom<typeof inspectorMachine> {
  const actor = createActor(
    inspectorMachine.provide({
      actions: {
        sendDraft: (_, { actor: key, event, text }) => {
          const record = recorder.records().find((one) => one.key === key)
          const payload = payloadOf(text)
          if (record !== undefined && payload !== null) sendTo(record.ref, event, payload)
        },
      },
    }),
  )
  let shown: Shown | null = null
  actor.subscribe((snapshot) => {
    const dock =
      (['right', 'bottom', 'window'] as const).find((one) => snapshot.matches({ dock: { shown: one } })) ?? null
    if (dock === (shown?.dock ?? null)) return
    if (shown !== null) hide(shown)
    shown = dock === null ? null : show(dock, actor, recorder)
  })
  addEventListener('pagehide', () => shown?.popup?.close())
  return actor.start()
}

function show(dock: Dock, actor: ActorRefFrom<typeof inspectorMachine>, recorder: Recorder): Shown {
  const popup = dock === 'window' ? openWindow(() => actor.send({ type: 'inspector.closed' })) : null
  const view = popup ?? globalThis.window
  const host = view.document.createElement('div')
  host.className = styles.host ?? ''
  host.dataset['dock'] = popup === null && dock === 'window' ? 'right' : dock
  /* The console's dialogs don't make it inert, and its keys don't reach the console. */
  host.dataset['reactAriaTopLayer'] = 'true'
  host.addEventListener('keydown', (event) => {
    if (isShortcut(event)) actor.send({ type: 'inspector.toggled' })
    event.stopPropagation()
  })
  view.document.body.append(host)
  if (popup === null) document.documentElement.dataset['inspector'] = host.dataset['dock']
  const root = createRoot(host)
  root.render(
    <Inspector
      actor={actor}
      recorder={recorder}
      view={view}
      onCopy={(text) => void copyText(text)}
      onSave={(name, text) => saveText(name, 'application/json', text)}
    />,
  )
  return { dock, root, host, popup }
}

function hide({ root, host, popup }: Shown): void {
  delete document.documentElement.dataset['inspector']
  queueMicrotask(() => {
    root.unmount()
    host.remove()
    popup?.close()
  })
}

/** Opens an empty window with the console's styles; null if the browser blocks it. */
function openWindow(onClosed: () => void): Window | null {
  const popup = globalThis.open('', 'sightline-inspector', 'popup,width=1280,height=860')
  if (popup === null) return null
  popup.document.title = 'Inspector'
  popup.document.head.replaceChildren(
    ...[...document.head.querySelectorAll('style, link[rel="stylesheet"]')].map((sheet) =>
      popup.document.importNode(sheet, true),
    ),
  )
  Object.assign(popup.document.documentElement.dataset, document.documentElement.dataset)
  popup.document.documentElement.lang = 'en'
  popup.document.body.replaceChildren()
  // Without a host the inspector has left the window itself, to be docked.
  popup.addEventListener('pagehide', () => {
    if (popup.document.body.hasChildNodes()) onClosed()
  })
  return popup
}
