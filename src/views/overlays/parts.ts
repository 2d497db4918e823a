export { ConfirmDialog, Dialog, PlainDialog } from './Dialogs.tsx'
export { MenuChoice, MenuItem, MenuLine, MenuNote, MenuPopover, SubMenu } from './Menus.tsx'
export { DialogPopover } from './DialogPopover.tsx'
export { Tooltip } from './Tooltip.tsx'
