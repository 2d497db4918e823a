import { createRoot } from 'react-dom/client'
import type { AnyActorRef } from 'xstate'
import { activate, loadMessages } from '../../i18n/i18n.ts'
import { CalendarPlayground } from './CalendarPlayground.tsx'
import { reportEdges } from './report-edges.ts'

/** For e2e/walk: watches the root machine, or shows one component alone (`?walk=calendar`). */
export async function walk(root: AnyActorRef): Promise<void> {
  root.system.inspect(reportEdges)
  const element = document.querySelector('#root')
  if (element === null || new URLSearchParams(location.search).get('walk') !== 'calendar') return
  element.id = 'controller'
  await loadMessages('pages')
  await activate('en')
  createRoot(element).render(<CalendarPlayground properties={{ mode: 'single', today: '2026-11-21' }} />)
}
