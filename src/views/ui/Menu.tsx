import type { ReactNode } from 'react'
import { Check, ChevronDown } from 'lucide-react'
import {
  Button,
  Header,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
  SubmenuTrigger,
} from 'react-aria-components'
import styles from './Menu.module.css'
import iconButton from './IconButton.module.css'

interface MenuProps {
  label: string
  trigger: ReactNode
  children: ReactNode
  variant?: 'plain' | 'overlay'
  placement?: 'bottom end' | 'bottom start' | 'top end' | 'top start'
  className?: string
  /** Undefined if the menu keeps its own state. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/** A button that opens a menu. Items are MenuItem, SubMenu, MenuChoice, MenuNote and MenuLine. */
export function Menu({
  label,
  trigger,
  children,
  variant = 'plain',
  placement = 'bottom end',
  className,
  ...open
}: MenuProps) {
  return (
    <MenuTrigger {...open}>
      <Button
        aria-label={label}
        className={[iconButton.button, iconButton[variant], className].filter(Boolean).join(' ')}
      >
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
  /** The item as plain text, for type-ahead. */
  text: string
  icon?: ReactNode
  /** A path or a URL, which makes the item a link. */
  href?: string
  newTab?: boolean
  disabled?: boolean
  onAction?: () => void
}

export function MenuItem({ children, text, icon, href, newTab = false, disabled, onAction }: MenuItemProps) {
  return (
    <AriaMenuItem
      textValue={text}
      className={styles.item ?? ''}
      isDisabled={disabled === true}
      {...(href === undefined ? {} : { href })}
      {...(newTab ? { target: '_blank', rel: 'noopener' } : {})}
      {...(onAction === undefined ? {} : { onAction })}
    >
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      {children}
    </AriaMenuItem>
  )
}

/** An item that opens a submenu below it: a phone has no space beside it. */
export function SubMenu({ text, icon, children }: { text: string; icon: ReactNode; children: ReactNode }) {
  return (
    <SubmenuTrigger>
      <AriaMenuItem textValue={text} className={styles.item ?? ''}>
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
        <span className={styles.label}>{text}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </AriaMenuItem>
      <Popover className={styles.popover ?? ''} placement="bottom end">
        <AriaMenu className={styles.menu ?? ''}>{children}</AriaMenu>
      </Popover>
    </SubmenuTrigger>
  )
}

interface MenuChoiceProps<Id extends string> {
  title: string
  /** A menu with nothing else needs no visible title. */
  isTitleShown?: boolean
  options: readonly { id: Id; label: string }[]
  chosen: string
  onChoose: (id: Id) => void
}

/** A group of radio items. */
export function MenuChoice<Id extends string>({
  title,
  isTitleShown = true,
  options,
  chosen,
  onChoose,
}: MenuChoiceProps<Id>) {
  return (
    <MenuSection
      {...(isTitleShown ? {} : { 'aria-label': title })}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[chosen]}
      onSelectionChange={(keys) => {
        const option = options.find(({ id }) => keys !== 'all' && keys.has(id) && id !== chosen)
        if (option !== undefined) onChoose(option.id)
      }}
    >
      {isTitleShown && <Header className={styles.group ?? ''}>{title}</Header>}
      {options.map(({ id, label }) => (
        <AriaMenuItem key={id} id={id} textValue={label} className={styles.item ?? ''}>
          <span className={styles.icon} aria-hidden="true">
            {id === chosen && <Check size={16} />}
          </span>
          {label}
        </AriaMenuItem>
      ))}
    </MenuSection>
  )
}

export function MenuNote({ children }: { children: ReactNode }) {
  return (
    <MenuSection>
      <Header className={styles.group ?? ''}>{children}</Header>
    </MenuSection>
  )
}

export function MenuLine() {
  return <Separator className={styles.line ?? ''} />
}
