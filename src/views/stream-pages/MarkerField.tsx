import { useId } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Ban } from 'lucide-react'
import { markerPalette, useMarkerNames } from './marker-colours.ts'
import styles from './MarkerField.module.css'

interface MarkerFieldProps {
  label: string
  marker: string
  onChange: (marker: string) => void
}

export function MarkerField({ label, marker, onChange }: MarkerFieldProps) {
  const { t } = useLingui()
  const name = useId()
  const names: Readonly<Record<string, string>> = { ...useMarkerNames(), '': t`No colour` }
  const current = marker.toLowerCase()
  const isCustom = marker !== '' && markerPalette.every((colour) => colour !== current)
  const colours = ['', ...markerPalette, ...(isCustom ? [marker] : [])]
  return (
    <fieldset className={styles.field}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.swatches}>
        {colours.map((colour) => (
          <label key={colour} className={styles.swatch} title={names[colour] ?? colour}>
            <input
              type="radio"
              name={name}
              aria-label={names[colour] ?? colour}
              checked={isCustom ? colour === marker : colour === current}
              onChange={() => onChange(colour)}
            />
            {colour === '' ? <Ban size={16} aria-hidden="true" /> : <span style={{ background: colour }} />}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
