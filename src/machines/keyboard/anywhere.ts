/** The bindings of every page; apart from the other tables, as the first screen needs these alone. */

/** With Ctrl, or ⌘ on a Mac. */
export const paletteKey = 'k'
export const shortcutsKey = '?'
