/** Ctrl Shift M, with the Command key where there is one. */
export const isShortcut = ({ ctrlKey, metaKey, shiftKey, code }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && shiftKey && code === 'KeyM'
