import type { ReactNode } from 'react'
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components'
import styles from './IconButton.module.css'

interface IconButtonProps {
  label: string
  tooltip?: string
  icon: ReactNode
  onPress?: () => void
  /** Makes the button a toggle, with aria-pressed. */
  pressed?: boolean
  disabled?: boolean
  shortcut?: string
  /** `overlay` lies on the picture. */
  variant?: 'plain' | 'overlay'
  placement?: 'top' | 'bottom' | 'left' | 'right'
  className?: string
}

export function IconButton({
  label,
  tooltip = label,
  icon,
  onPress,
  pressed,
  disabled,
  shortcut,
  variant = 'plain',
  placement = 'bottom',
  className,
}: IconButtonProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={80}>
      <Button
        aria-label={label}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
        {...(onPress === undefined ? {} : { onPress })}
        isDisabled={disabled === true}
        className={[styles.button, styles[variant], className].filter(Boolean).join(' ')}
      >
        {icon}
      </Button>
      <Tooltip className={styles.tooltip ?? ''} placement={placement} offset={6}>
        {tooltip}
        {shortcut !== undefined && <kbd className={styles.key}>{shortcut}</kbd>}
      </Tooltip>
    </TooltipTrigger>
  )
}
