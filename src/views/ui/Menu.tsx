import type { ReactNode } from 'react'
import { Button, Header, Menu as AriaMenu, MenuItem as AriaMenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components'
import styles from './Menu.module.css'
import iconButton from './IconButton.module.css'

interface MenuProps {
  /** The accessible name of the button that opens it. */
  label: string
  trigger: ReactNode
  children: ReactNode
  variant?: 'plain' | 'overlay'
  placement?: 'bottom end' | 'bottom start' | 'top end' | 'top start'
  className?: string
}

/** A button that opens a menu. Items are MenuItem, MenuGroup and MenuLine. */
export function Menu({ label, trigger, children, variant = 'plain', placement = 'bottom end', className }: MenuProps) {
  return (
    <MenuTrigger>
      <Button aria-label={label} className={[iconButton.button, iconButton[variant], className].filter(Boolean).join(' ')}>
        {trigger}
      </Button>
      <Popover className={styles.popover ?? ''} placement={placement} offset={6}>
        <AriaMenu className={styles.menu ?? ''}>{children}</AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

interface MenuItemProps {
  children: ReactNode
  /** The plain text of the item, for typing ahead. */
  text: string
  icon?: ReactNode
  /** A path or an address; the item is then a link. */
  href?: string
  newTab?: boolean
  checked?: boolean
  disabled?: boolean
  onAction?: () => void
}

export function MenuItem({ children, text, icon, href, newTab = false, checked, disabled, onAction }: MenuItemProps) {
  return (
    <AriaMenuItem
      textValue={text}
      className={styles.item ?? ''}
      isDisabled={disabled === true}
      {...(checked ? { 'data-checked': true } : {})}
      {...(href === undefined ? {} : { href })}
      {...(newTab ? { target: '_blank', rel: 'noopener' } : {})}
      {...(onAction === undefined ? {} : { onAction })}
    >
      <span className={styles.icon} aria-hidden="true">
        {checked ? '✓' : icon}
      </span>
      {children}
    </AriaMenuItem>
  )
}

export function MenuGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <MenuSection>
      <Header className={styles.group ?? ''}>{title}</Header>
      {children}
    </MenuSection>
  )
}

export function MenuLine() {
  return <Separator className={styles.line ?? ''} />
}
