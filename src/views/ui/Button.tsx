import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './Button.module.css'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'

interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant
  /** Says that the work it started is under way, and takes no further press. */
  busy?: boolean
  icon?: ReactNode
}

export function Button({ variant = 'secondary', busy = false, icon, children, className, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={[styles.button, styles[variant], className].filter(Boolean).join(' ')}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
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
