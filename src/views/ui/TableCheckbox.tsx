import styles from './TableCheckbox.module.css'

interface TableCheckboxProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A checkbox that fills a cell of a table; its name isn't shown. */
export function TableCheckbox({ label, checked, onChange }: TableCheckboxProps) {
  return (
    <label className={styles.cell}>
      <input type="checkbox" checked={checked} aria-label={label} onChange={({ target }) => onChange(target.checked)} />
    </label>
  )
}
