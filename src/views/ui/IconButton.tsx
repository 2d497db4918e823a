import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useId, useRef, useState } from 'react'
import { moveFocusOnUnmount } from './move-focus.ts'
import { overlays } from './overlays.ts'
import { useTooltip } from './use-tooltip.ts'
import styles from './IconButton.module.css'

interface IconButtonProps {
  label: string
  tooltip?: string
  icon: ReactNode
  onPress?: () => void
  /** Makes the button a toggle, with aria-pressed. */
  pressed?: boolean
  /** The dialog that the button opens. */
  opens?: { id: string; isOpen: boolean }
  disabled?: boolean
  shortcut?: string
  /** `overlay` lies on the picture. */
  variant?: 'plain' | 'overlay'
  placement?: 'top' | 'bottom' | 'left' | 'right'
  className?: string
  ref?: RefObject<HTMLButtonElement | null>
}

/** A key that is held presses once, and the keys of a button are no shortcuts of the page. */
function handleOwnKeys(event: KeyboardEvent): void {
  if (event.key !== 'Enter' && event.key !== ' ') return
  event.stopPropagation()
  if (event.repeat) event.preventDefault()
}

/**
 * An icon with a name and a tooltip. What lies below the button doesn't get its presses. It keeps the focus when it
 * becomes disabled after a press and hands it on when it is removed, as `Button` does.
 */
export function IconButton({
  label,
  tooltip = label,
  icon,
  onPress,
  pressed,
  opens,
  disabled = false,
  shortcut,
  variant = 'plain',
  placement = 'bottom',
  className,
  ref,
}: IconButtonProps) {
  const own = useRef<HTMLButtonElement>(null)
  const button = ref ?? own
  const mount = useCallback(
    (element: HTMLButtonElement | null) => {
      button.current = element
      const moveFocus = moveFocusOnUnmount(element)
      return () => {
        moveFocus?.()
        button.current = null
      }
    },
    [button],
  )
  const id = useId()
  const tip = useTooltip()
  const [isFocused, setIsFocused] = useState(false)
  const parts = tip.isOpen && !disabled ? overlays.loaded : null
  return (
    <>
      <button
        ref={mount}
        type="button"
        // Safari focuses a pressed button only if it has a tabIndex.
        tabIndex={0}
        aria-label={label}
        aria-pressed={pressed}
        aria-expanded={opens?.isOpen}
        aria-controls={opens?.isOpen === true ? opens.id : undefined}
        aria-describedby={parts === null ? undefined : id}
        disabled={disabled && !isFocused}
        aria-disabled={disabled || undefined}
        className={[styles.button, styles[variant], className].filter(Boolean).join(' ')}
        {...tip.events}
        onFocus={(event) => {
          setIsFocused(true)
          tip.events.onFocus(event)
        }}
        onBlur={() => {
          setIsFocused(false)
          tip.events.onBlur()
        }}
        onPointerDown={(event) => {
          event.stopPropagation()
          tip.hide()
        }}
        onKeyDown={(event) => {
          tip.hide()
          handleOwnKeys(event)
        }}
        onClick={(event) => {
          event.stopPropagation()
          if (!disabled) onPress?.()
        }}
      >
        {icon}
      </button>
      {parts !== null && (
        <parts.Tooltip
          id={id}
          triggerRef={button}
          placement={placement}
          shortcut={shortcut}
          onStay={tip.stay}
          onLeave={tip.leave}
        >
          {tooltip}
        </parts.Tooltip>
      )}
    </>
  )
}
