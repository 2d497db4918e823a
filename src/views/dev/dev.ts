import type { ActorRefFrom, AnyActor } from 'xstate'
import type { inspectorMachine } from './inspector/inspector.machine.ts'
import { isShortcut } from './inspector/shortcut.ts'
import { Recorder } from './record/recorder.ts'

const recorder = new Recorder({ now: () => performance.now(), entries: 2000, recordedEvents: 20_000 })

function attach(root: AnyActor): void {
  root.system.inspect(recorder.observe)
  recorder.adopt(root)
}

let inspector: Promise<ActorRefFrom<typeof inspectorMachine>> | null = null

async function toggle(): Promise<void> {
  inspector ??= import('./inspector/open.tsx').then(({ createInspector }) => createInspector(recorder))
  const actor = await inspector
  actor.send({ type: 'inspector.toggled' })
}

/**
 * For developers only: records every machine and opens the inspector (Ctrl Shift M, or `?inspect` in the address). In
 * the build for e2e/walk, every edge is also reported to the test.
 */
export async function watch(root: AnyActor): Promise<void> {
  attach(root)
  addEventListener('keydown', (event) => {
    if (!isShortcut(event)) return
    event.preventDefault()
    void toggle()
  })
  if (new URLSearchParams(location.search).has('inspect')) void toggle()
  if (import.meta.env.MODE === 'walk') await import('./walk.tsx').then(({ walk }) => walk(root))
}
