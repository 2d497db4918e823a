import { useId } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Ban } from 'lucide-react'
import styles from './MarkerField.module.css'

/** Colours that are told apart on both themes, and from the signal colours. */
const palette = ['#e5484d', '#f76b15', '#ffc53d', '#46a758', '#12a594', '#0090ff', '#8e4ec6', '#e93d82'] as const

interface MarkerFieldProps {
  label: string
  marker: string
  onChange: (marker: string) => void
}

/** The colour of a stream's mark: one of a few, none, or the one it has. */
export function MarkerField({ label, marker, onChange }: MarkerFieldProps) {
  const { t } = useLingui()
  const name = useId()
  const names: Readonly<Record<string, string>> = {
    '#e5484d': t`Red`, '#f76b15': t`Orange`, '#ffc53d': t`Yellow`, '#46a758': t`Green`,
    '#12a594': t`Teal`, '#0090ff': t`Blue`, '#8e4ec6': t`Violet`, '#e93d82': t`Pink`,
  }
  const current = marker.toLowerCase()
  const isOwn = marker !== '' && palette.every((colour) => colour !== current)
  const colours = ['', ...palette, ...(isOwn ? [marker] : [])]
  return (
    <fieldset className={styles.field}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.swatches}>
        {colours.map((colour) => (
          <label key={colour} className={styles.swatch} title={names[colour] ?? (colour === '' ? t`No colour` : colour)}>
            <input
              type="radio"
              name={name}
              aria-label={names[colour] ?? (colour === '' ? t`No colour` : colour)}
              checked={isOwn ? colour === marker : colour === current}
              onChange={() => onChange(colour)}
            />
            {colour === '' ? <Ban size={16} aria-hidden="true" /> : <span style={{ background: colour }} />}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
