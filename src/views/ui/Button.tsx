import { type ComponentProps, type MouseEvent, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import styles from './Button.module.css'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'

interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant
  /** Shows that the work it started is under way, and takes no further press. */
  busy?: boolean
  icon?: ReactNode
}

/** Where it is pressed it keeps the focus: what is disabled for the browser would lose it. */
export function Button({
  variant = 'secondary',
  busy = false,
  icon,
  children,
  className,
  disabled = false,
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
      type="button"
      {...rest}
      className={[styles.button, styles[variant], className].filter(Boolean).join(' ')}
      disabled={isOff && !isFocused}
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

/** A link that looks like a button: it goes somewhere, it does nothing. `href` is a path below /ui. */
export function ButtonLink({ href, variant = 'secondary', icon, children }: ButtonLinkProps) {
  return (
    <Link href={href} className={`${styles.button} ${styles[variant]}`}>
      {icon}
      {children}
    </Link>
  )
}

/** A file of the server, which the browser saves; an address outside the console. */
export function DownloadLink({ href, variant = 'secondary', icon, children }: ButtonLinkProps) {
  return (
    <a href={href} download className={`${styles.button} ${styles[variant]}`}>
      {icon}
      {children}
    </a>
  )
}
