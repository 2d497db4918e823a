import type { ReactNode } from 'react'
import styles from './Inspector.module.css'

interface ToolButtonProps {
  label: string
  icon: ReactNode
  onPress: () => void
  pressed?: boolean
  disabled?: boolean
}

/** An icon button with a native tooltip, which also works in the inspector's own window. */
export function ToolButton({ label, icon, onPress, pressed, disabled = false }: ToolButtonProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onPress}
    >
      {icon}
    </button>
  )
}
