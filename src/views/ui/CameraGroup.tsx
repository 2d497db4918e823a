import type { ReactNode } from 'react'
import styles from './CameraGroup.module.css'

/** Cameras of a dialog, each with a box to select it. */
export function CameraGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={styles.cameras}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}
