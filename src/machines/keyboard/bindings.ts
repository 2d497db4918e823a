/** The keys of each view, by command, in lower case. The code and the help both read these tables. */
type Bindings = Readonly<Record<string, readonly string[]>>

export const playerKeys = {
  toggle: [' ', 'k'],
  back: ['j', 'arrowleft'],
  forward: ['arrowright'],
  faster: ['l', '>'],
  reverse: ['<'],
  stepBack: [','],
  stepForward: ['.'],
  previousFragment: ['['],
  nextFragment: [']'],
  previousEvent: ['{'],
  nextEvent: ['}'],
  markIn: ['i'],
  markOut: ['o'],
  loop: ['r'],
  bookmark: ['b'],
  goLive: ['g'],
  snapshot: ['s'],
  speed: ['1', '2', '3', '4', '5', '6', '7'],
  mute: ['m'],
  fullScreen: ['f'],
} as const satisfies Bindings

/** While the focus is in the PTZ pad, where the player's keys rest. */
export const ptzKeys = {
  left: ['arrowleft'],
  right: ['arrowright'],
  up: ['arrowup'],
  down: ['arrowdown'],
  zoomIn: ['+', '='],
  zoomOut: ['-', '_'],
  close: ['escape'],
} as const satisfies Bindings

export const timelineKeys = {
  back: ['arrowleft', 'arrowdown'],
  forward: ['arrowright', 'arrowup'],
  earlier: ['pagedown'],
  later: ['pageup'],
  start: ['home'],
  end: ['end'],
  zoomIn: ['+', '='],
  zoomOut: ['-', '_'],
} as const satisfies Bindings

export const mosaicKeys = {
  enlarge: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'],
  shrink: ['escape'],
  toggle: [' ', 'k'],
  snapshot: ['s'],
  mute: ['m'],
  fullScreen: ['f'],
} as const satisfies Bindings

export const mosaicArchiveKeys = {
  back: ['j', 'arrowleft'],
  forward: ['arrowright'],
  faster: ['l', '>'],
  reverse: ['<'],
  goLive: ['g'],
  stepBack: [','],
  stepForward: ['.'],
  previousFragment: ['['],
  nextFragment: [']'],
  markIn: ['i'],
  markOut: ['o'],
} as const satisfies Bindings

export const chartKeys = {
  back: ['arrowleft'],
  forward: ['arrowright'],
  start: ['home'],
  end: ['end'],
  earlier: ['pagedown'],
  later: ['pageup'],
  zoomIn: ['+', '='],
  zoomOut: ['-', '_'],
  leave: ['escape'],
} as const satisfies Bindings

export const streamListKeys = {
  left: ['arrowleft'],
  right: ['arrowright'],
  up: ['arrowup'],
  down: ['arrowdown'],
  first: ['home'],
  last: ['end'],
  screenUp: ['pageup'],
  screenDown: ['pagedown'],
  select: [' '],
  clear: ['escape'],
} as const satisfies Bindings

export const paletteKeys = {
  next: ['arrowdown'],
  previous: ['arrowup'],
  open: ['enter'],
} as const satisfies Bindings

const punctuation: Readonly<Record<string, readonly [bare: string, shifted: string]>> = {
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Comma: [',', '<'],
  Period: ['.', '>'],
}

/** The key of the layout if it is ASCII, else the key at that position of a US keyboard: `ш` is `i`. */
export function pressedKey({ key, code, shiftKey }: { key: string; code: string; shiftKey: boolean }): string {
  if (key.length !== 1 || key < '\u0080') return key
  return /^Key([A-Z])$/.exec(code)?.[1] ?? punctuation[code]?.[shiftKey ? 1 : 0] ?? key
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey'>

/** Ctrl Z, or Cmd Z. */
export const isUndo = (press: KeyPress): boolean =>
  (press.ctrlKey || press.metaKey) && !press.shiftKey && pressedKey(press).toLowerCase() === 'z'

/** The command bound to a key. */
export function commandOf<B extends Bindings>(bindings: B, key: string): Extract<keyof B, string> | undefined {
  const name = key.toLowerCase()
  for (const command in bindings) if (bindings[command]?.includes(name)) return command
  return undefined
}
