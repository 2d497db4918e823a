import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { type SidePanelRef, selectCoversPage, selectPhase } from '../../machines/side-panel/side-panel.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './SidePanel.module.css'

interface SidePanelProps {
  actor: SidePanelRef
  id: string
  title: string
  children: ReactNode
}

const openerOf = (id: string) => document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)

/**
 * A panel beside the page, or over it on a small screen, where a click outside closes the panel and does nothing else.
 * The button that opens it has its `id` in `aria-controls`. The panel needs a positioned parent.
 */
export function SidePanel({ actor, id, title, children }: SidePanelProps) {
  const { t } = useLingui()
  const phase = useSelector(actor, selectPhase)
  const coversPage = useSelector(actor, selectCoversPage)
  const panel = useRef<HTMLElement>(null)
  /** Returns the focus, which would be lost with the panel. */
  const dismiss = useCallback(() => {
    actor.send({ type: 'panel.dismissed' })
    openerOf(id)?.focus()
  }, [actor, id])

  useEffect(() => {
    const isInside = (target: EventTarget | null) =>
      target instanceof Element && panel.current?.contains(target) !== false
    const press = ({ target }: PointerEvent) => {
      if (target instanceof Node && !isInside(target) && openerOf(id)?.contains(target) !== true)
        actor.send({ type: 'panel.pressedOutside' })
    }
    const escape = ({ key, target }: KeyboardEvent) => {
      if (key === 'Escape' && panel.current !== null && isInside(target)) dismiss()
    }
    // Captured, as icon buttons stop the event.
    document.addEventListener('pointerdown', press, true)
    document.addEventListener('keydown', escape)
    return () => {
      document.removeEventListener('pointerdown', press, true)
      document.removeEventListener('keydown', escape)
    }
  }, [actor, id, dismiss])

  if (phase === 'closed') return null
  return (
    <>
      {coversPage && <div className={styles.scrim} aria-hidden="true" />}
      <aside
        ref={panel}
        id={id}
        className={[styles.panel, coversPage && styles.over].filter(Boolean).join(' ')}
        data-phase={phase}
        aria-label={title}
        inert={phase === 'closing'}
      >
        <header className={styles.head}>
          <h2>{title}</h2>
          <IconButton label={t`Close`} icon={<X size={16} />} onPress={dismiss} />
        </header>
        <div className={styles.body}>{children}</div>
      </aside>
    </>
  )
}
