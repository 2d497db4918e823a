import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { localTimeOf } from '../timeline/local-time.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useDuration } from '../ui/use-duration.ts'
import styles from './SelectionBar.module.css'

interface SelectionFrameProps {
  from: number | null
  to: number | null
  zone: string
  /** What is known of the range, beside its length. */
  facts?: ReactNode
  /** Buttons for the range. */
  children: ReactNode
  onClear: () => void
}

/** The in and out marks of a player or a mosaic, and what can be done with the range between them. */
export function SelectionFrame({ from, to, zone, facts, children, onClear }: SelectionFrameProps) {
  const { t } = useLingui()
  const time = localTimeOf(zone)
  const length = useDuration(((to ?? 0) - (from ?? 0)) / 1000)
  const words = (at: number | null) => (at === null ? '…' : time.hourMinuteSecond(at))
  const [start, end] = [words(from), words(to)]
  return (
    <section className={styles.bar} aria-label={t`Selection`}>
      <p className={styles.ends}>
        <Trans>
          Selection {start} – {end}
        </Trans>
      </p>
      <p className={styles.facts} role="status">
        {from === null && <Trans>Press I to mark the start</Trans>}
        {to === null && <Trans>Press O to mark the end</Trans>}
        {from !== null && to !== null && <span>{length}</span>}
        {facts}
      </p>
      <div className={styles.actions}>
        {children}
        <IconButton placement="top" label={t`Clear selection`} icon={<X size={16} />} onPress={onClear} />
      </div>
    </section>
  )
}
