import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { removeRow } from './remove-row.ts'
import styles from './Chips.module.css'

interface ChipsProps {
  label: string
  items: readonly { readonly id: string; readonly name: string }[]
  onRemove: (id: string) => void
}

/** The selected items, as buttons that remove them. They are near the list from which they are selected. */
export function Chips({ label, items, onRemove }: ChipsProps) {
  const { t } = useLingui()
  return (
    <ul className={styles.chips} aria-label={label}>
      {items.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            className={styles.chip}
            aria-label={t`Remove ${name}`}
            onClick={() => removeRow('li > button', 'select', () => onRemove(id))}
          >
            {name}
            <X size={16} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}
