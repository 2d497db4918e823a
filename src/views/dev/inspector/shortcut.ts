/** Ctrl Shift M, or ⌘ Shift M. */
export const isShortcut = ({ ctrlKey, metaKey, shiftKey, code }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && shiftKey && code === 'KeyM'
