/** Shortcuts of every page, in a file of their own, as the first screen needs no others. */

/** With Ctrl, or ⌘ on a Mac. */
export const paletteKey = 'k'
export const shortcutsKey = '?'
