/** The keys of each area, in lower case. The code binds them from these tables, and the help shows them. */
type Bindings = Readonly<Record<string, readonly string[]>>

export const playerKeys = {
  toggle: [' ', 'k'],
  back: ['j', 'arrowleft'],
  forward: ['arrowright'],
  faster: ['l'],
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
  fullScreen: ['f'],
} as const satisfies Bindings

export const mosaicArchiveKeys = {
  back: ['j', 'arrowleft'],
  forward: ['arrowright'],
  faster: ['l'],
  goLive: ['g'],
  stepBack: [','],
  stepForward: ['.'],
} as const satisfies Bindings

export const chartKeys = {
  back: ['arrowleft'],
  forward: ['arrowright'],
  start: ['home'],
  end: ['end'],
  earlier: ['pageup'],
  later: ['pagedown'],
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
  choose: [' '],
  clear: ['escape'],
} as const satisfies Bindings

export const paletteKeys = {
  next: ['arrowdown'],
  previous: ['arrowup'],
  take: ['enter'],
} as const satisfies Bindings

const signs: Readonly<Record<string, readonly [bare: string, shifted: string]>> = {
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Comma: [',', '<'],
  Period: ['.', '>'],
}

/** By the layout's Latin letters; on a layout without them by the key's position: `ш` is `i`. */
export function pressedKey({ key, code, shiftKey }: { key: string; code: string; shiftKey: boolean }): string {
  if (key.length !== 1 || key < '\u0080') return key
  return /^Key([A-Z])$/.exec(code)?.[1] ?? signs[code]?.[shiftKey ? 1 : 0] ?? key
}

export function actOf<B extends Bindings>(bindings: B, key: string): Extract<keyof B, string> | undefined {
  const name = key.toLowerCase()
  for (const act in bindings) if (bindings[act]?.includes(name)) return act
  return undefined
}
