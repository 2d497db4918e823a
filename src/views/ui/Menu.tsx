import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import type * as Parts from '../overlays/Menus.tsx'
import { useDeferred } from './deferred.ts'
import { overlays } from './overlays.ts'
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

const focusOf: Readonly<Record<string, 'first' | 'last'>> = {
  Enter: 'first',
  ' ': 'first',
  ArrowDown: 'first',
  ArrowUp: 'last',
}

/** A button that opens a menu. Items are MenuItem, MenuChoice and MenuLine. */
export function Menu({
  label,
  trigger,
  children,
  variant = 'plain',
  placement = 'bottom end',
  className,
  isOpen: controlledIsOpen,
  onOpenChange,
}: MenuProps) {
  const [isOwnOpen, setOwnOpen] = useState(false)
  /** What takes the focus: an item, or the menu itself. */
  const [focus, setFocus] = useState<'first' | 'last' | true>(true)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const isOpen = controlledIsOpen ?? isOwnOpen
  const parts = useDeferred(overlays, isOpen)
  const setOpen = (willOpen: boolean) => {
    setOwnOpen(willOpen)
    onOpenChange?.(willOpen)
  }
  const open = (nextFocus: 'first' | 'last' | true) => {
    if (isOpen) return
    button.current?.focus({ preventScroll: true })
    setFocus(nextFocus)
    setOpen(true)
  }
  const openByKey = (event: KeyboardEvent) => {
    const nextFocus = focusOf[event.key]
    if (nextFocus === undefined || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    open(nextFocus)
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        id={id}
        tabIndex={0}
        aria-label={label}
        aria-haspopup="true"
        aria-expanded={isOpen}
        {...(parts === null ? {} : { 'aria-controls': `${id}menu` })}
        className={[iconButton.button, iconButton[variant], className].filter(Boolean).join(' ')}
        onPointerEnter={() => void overlays.load().catch(() => null)}
        onPointerDown={(event) => {
          event.stopPropagation()
          if (event.pointerType === 'mouse' && event.button === 0) open(true)
        }}
        // By now the menu has the focus, which a button takes when it is pressed.
        onMouseDown={(event) => event.preventDefault()}
        onKeyDown={openByKey}
        onClick={(event) => {
          event.stopPropagation()
          // No pointer was pressed before a click by a screen reader.
          open(event.detail === 0 ? 'first' : true)
        }}
      >
        {trigger}
      </button>
      {parts !== null && (
        <parts.MenuPopover
          id={`${id}menu`}
          labelId={id}
          triggerRef={button}
          placement={placement}
          focus={focus}
          onClose={() => setOpen(false)}
        >
          {children}
        </parts.MenuPopover>
      )}
    </>
  )
}

export function MenuItem(props: ComponentProps<typeof Parts.MenuItem>) {
  const parts = useDeferred(overlays)
  return parts !== null && <parts.MenuItem {...props} />
}

export function MenuChoice<Id extends string>(props: Parts.MenuChoiceProps<Id>) {
  const parts = useDeferred(overlays)
  return parts !== null && <parts.MenuChoice {...props} />
}

export function MenuLine() {
  const parts = useDeferred(overlays)
  return parts !== null && <parts.MenuLine />
}
