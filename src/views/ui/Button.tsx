import { type ComponentProps, type MouseEvent, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { moveFocusOnUnmount } from './move-focus.ts'
import styles from './Button.module.css'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'

interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant
  /** The action is under way: the button is marked as busy and ignores clicks. */
  busy?: boolean
  icon?: ReactNode
  /** Takes the focus while it is disabled: that of a dialog that it has opened comes back to it. */
  isFocusable?: boolean
}

/**
 * Keeps the focus when it becomes disabled after a press, as the browser would take it from a disabled button, and
 * hands it on when it is removed.
 */
export function Button({
  variant = 'secondary',
  busy = false,
  icon,
  children,
  className,
  disabled = false,
  isFocusable = false,
  onClick,
  ...rest
}: ButtonProps) {
  const [isFocused, setIsFocused] = useState(false)
  const isOff = disabled || busy
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isOff) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      ref={moveFocusOnUnmount}
      type="button"
      {...rest}
      className={[styles.button, styles[variant], className].filter(Boolean).join(' ')}
      disabled={isOff && !isFocused && !isFocusable}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      onClick={press}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
    >
      {busy ? <span className={styles.busy} aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}

interface ButtonLinkProps {
  href: string
  variant?: Variant
  icon?: ReactNode
  children: ReactNode
}

/** A link that looks like a button. `href` is a path below /ui. */
export function ButtonLink({ href, variant = 'secondary', icon, children }: ButtonLinkProps) {
  return (
    <Link href={href} className={`${styles.button} ${styles[variant]}`}>
      {icon}
      {children}
    </Link>
  )
}

/** A link to a file of the server, which the browser saves. `href` is a full path. */
export function DownloadLink({ href, variant = 'secondary', icon, children }: ButtonLinkProps) {
  return (
    <a href={href} download className={`${styles.button} ${styles[variant]}`}>
      {icon}
      {children}
    </a>
  )
}
