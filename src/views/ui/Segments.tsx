import type { ReactNode } from 'react'
import styles from './Segments.module.css'

interface SegmentsProps<Id extends string> {
  label: string
  options: readonly { readonly id: Id; readonly label: ReactNode }[]
  chosen: Id
  onChoose: (id: Id) => void
}

/** A row of buttons, one of which is pressed: it selects one of a few options. */
export function Segments<Id extends string>({ label, options, chosen, onChoose }: SegmentsProps<Id>) {
  return (
    <div role="group" aria-label={label} className={styles.segments}>
      {options.map((option) => (
        <button
          key={option.id}
          type="button"
          className={styles.segment}
          aria-pressed={option.id === chosen}
          onClick={() => onChoose(option.id)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
