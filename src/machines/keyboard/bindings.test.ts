import { expect, test } from 'vitest'
import {
  commandOf,
  chartKeys,
  isUndo,
  mosaicArchiveKeys,
  mosaicKeys,
  paletteKeys,
  playerKeys,
  pressedKey,
  ptzKeys,
  streamListKeys,
  timelineKeys,
} from './bindings.ts'

const byIndexIn = (bindings: object) => {
  const acts = Object.keys(bindings)
  return ([one]: [string, unknown], [other]: [string, unknown]) => acts.indexOf(one) - acts.indexOf(other)
}

test('a key has the command of its view, in either case', () => {
  expect([
    commandOf(playerKeys, 'K'),
    commandOf(playerKeys, ' '),
    commandOf(timelineKeys, 'PageUp'),
    commandOf(chartKeys, 'PageUp'),
    commandOf(mosaicKeys, '9'),
  ]).toEqual(['toggle', 'toggle', 'later', 'later', 'enlarge'])
  expect([commandOf(playerKeys, 'x'), commandOf(mosaicKeys, 'x')]).toEqual([undefined, undefined])
})

test.each([
  ['ш', 'KeyI', false, 'I'],
  ['Щ', 'KeyO', true, 'O'],
  ['х', 'BracketLeft', false, '['],
  ['Ъ', 'BracketRight', true, '}'],
  ['б', 'Comma', false, ','],
  ['ю', 'Period', false, '.'],
  ['.', 'Slash', false, '.'],
  ['q', 'KeyA', false, 'q'],
  ['ArrowLeft', 'ArrowLeft', false, 'ArrowLeft'],
  ['ё', 'Backquote', false, 'ё'],
])('%s of the key %s, shifted: %s, is %s', (key, code, shiftKey, pressed) => {
  expect(pressedKey({ key, code, shiftKey })).toBe(pressed)
})

const noKeys = { shiftKey: false, ctrlKey: false, metaKey: false }

test.each([
  ['Ctrl Z', { key: 'z', code: 'KeyZ', ctrlKey: true }, true],
  ['Cmd Z with Caps Lock', { key: 'Z', code: 'KeyZ', metaKey: true }, true],
  ['Ctrl Z of a German keyboard', { key: 'z', code: 'KeyY', ctrlKey: true }, true],
  ['Ctrl W of a French keyboard', { key: 'w', code: 'KeyZ', ctrlKey: true }, false],
  ['Ctrl Z of a Russian keyboard', { key: 'я', code: 'KeyZ', ctrlKey: true }, true],
  ['Ctrl Shift Z', { key: 'Z', code: 'KeyZ', ctrlKey: true, shiftKey: true }, false],
  ['Z', { key: 'z', code: 'KeyZ' }, false],
])('whether %s undoes', (_, press, isIt) => {
  expect(isUndo({ ...noKeys, ...press })).toBe(isIt)
})

test('commands of both the player and a mosaic have the same keys, and only digits differ', () => {
  const mosaic = { ...mosaicKeys, ...mosaicArchiveKeys }
  const shared = Object.entries(mosaic).filter(([act]) => act in playerKeys)
  expect(shared).toEqual(
    Object.entries(playerKeys)
      .filter(([act]) => act in mosaic)
      .toSorted(byIndexIn(mosaic)),
  )
  const others = Object.entries(mosaic).flatMap(([act, keys]) =>
    keys.filter((key) => !/\d/.test(key) && ![undefined, act].includes(commandOf(playerKeys, key))),
  )
  expect({ shared: shared.map(([act]) => act), others }).toEqual({
    shared: [
      'toggle',
      'snapshot',
      'mute',
      'fullScreen',
      'back',
      'forward',
      'faster',
      'reverse',
      'goLive',
      'stepBack',
      'stepForward',
      'previousFragment',
      'nextFragment',
      'markIn',
      'markOut',
    ],
    others: [],
  })
})

test.each(
  Object.entries({
    playerKeys,
    ptzKeys,
    timelineKeys,
    chartKeys,
    streamListKeys,
    paletteKeys,
    mosaic: { ...mosaicKeys, ...mosaicArchiveKeys },
  }),
)('no key of %s does two things', (_, bindings) => {
  const keys = Object.values(bindings).flat()
  expect(keys).toEqual([...new Set(keys)])
})
