import { type ReactNode, type RefObject, createContext, useContext } from 'react'
import { Check, ChevronDown } from 'lucide-react'
import {
  Header,
  Menu,
  MenuItem as AriaMenuItem,
  MenuSection,
  Popover,
  RouterProvider,
  Separator,
  SubmenuTrigger,
} from 'react-aria-components'
import { useConsole } from '../app/console.ts'
import styles from './Menu.module.css'

type Focus = 'first' | 'last' | true

interface MenuPopoverProps {
  id: string
  /** The id of the button, which names the menu. */
  labelId: string
  triggerRef: RefObject<HTMLElement | null>
  placement: 'bottom end' | 'bottom start' | 'top end' | 'top start'
  /** What takes the focus: an item, or the menu itself. */
  focus: Focus
  onClose: () => void
  children: ReactNode
}

const CloseContext = createContext<() => void>(() => {})

/** An open menu. Its items may be links of the console. */
export function MenuPopover({ id, labelId, triggerRef, placement, focus, onClose, children }: MenuPopoverProps) {
  const { app, consolePath } = useConsole()
  /* As a spread, since lint forbids autoFocus; a menu that opens must take the focus. */
  const focusOnOpen = { autoFocus: focus }
  return (
    <RouterProvider
      navigate={(href) =>
        href.startsWith('/') ? app.send({ type: 'navigation.requested', href }) : globalThis.location.assign(href)
      }
      useHref={(href) => (href.startsWith('/') ? `${consolePath}${href}` : href)}
    >
      <CloseContext value={onClose}>
        <Popover
          isOpen
          onOpenChange={(isOpen) => !isOpen && onClose()}
          trigger="MenuTrigger"
          triggerRef={triggerRef}
          aria-labelledby={labelId}
          className={styles.popover ?? ''}
          placement={placement}
          offset={6}
        >
          <Menu id={id} aria-labelledby={labelId} {...focusOnOpen} onClose={onClose} className={styles.menu ?? ''}>
            {children}
          </Menu>
        </Popover>
      </CloseContext>
    </RouterProvider>
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
  const close = useContext(CloseContext)
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
        <Menu onClose={close} className={styles.menu ?? ''}>
          {children}
        </Menu>
      </Popover>
    </SubmenuTrigger>
  )
}

export interface MenuChoiceProps<Id extends string> {
  title: string
  /** False in a menu that has only this group. */
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
