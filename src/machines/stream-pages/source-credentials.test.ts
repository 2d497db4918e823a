import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import {
  fullSources,
  hasOwnCredentials,
  replaceCredentials,
  withCredentials,
  withHiddenPassword,
  splitCredentials,
  sourceFields,
  fieldsAfterEntry,
} from './source-credentials.ts'

const ann = { login: 'ann', password: 'a@b:c/d#e%f?' }
const none = { login: '', password: '' }

describe('credentials of a URL', () => {
  test.each([
    ['rtsp://ann:x@cam/1', 'rtsp://cam/1', 'ann', 'x'],
    ['rtsp://ann@cam:554/1', 'rtsp://cam:554/1', 'ann', ''],
    ['rtsp://ann:p%40ss@[::1]:554/1?a=b', 'rtsp://[::1]:554/1?a=b', 'ann', 'p@ss'],
    ['rtsp://ann:p@ss:word@cam/1', 'rtsp://cam/1', 'ann', 'p@ss:word'],
    ['rtsp://ann:p/w#1?@cam/1', 'rtsp://cam/1', 'ann', 'p/w#1?'],
    ['rtsp://ann:100%@cam/1', 'rtsp://cam/1', 'ann', '100%'],
  ])('%s', (address, bare, login, password) => {
    expect(splitCredentials(address)).toEqual({ url: bare, credentials: { login, password } })
  })

  test.each([
    'rtsp://cam/1',
    'rtsp://cam:554/me@home',
    'rtsp://[fe80::1]/a@b',
    'demo:gate',
    'rtsp://***@cam/1',
    'cam',
    '',
  ])('%s has none that can be split off', (address) => {
    expect([splitCredentials(address), hasOwnCredentials(address)]).toEqual([null, false])
  })

  test.each([
    ['rtsp://ann:x@cam/1', 'rtsp://ann:***@cam/1'],
    ['rtsp://ann:p@ss:word@cam/1', 'rtsp://ann:***@cam/1'],
    ['rtsp://ann:p/w#1?@cam/1', 'rtsp://ann:***@cam/1'],
    ['rtsp://ann@cam/1', 'rtsp://ann@cam/1'],
    ['rtsp://cam:554/me@home', 'rtsp://cam:554/me@home'],
    ['demo:gate', 'demo:gate'],
  ])('%s is shown as %s', (address, shown) => {
    expect(withHiddenPassword(address)).toBe(shown)
  })

  test('credentials typed without percent-encoding are restored as typed', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(text, text, (login, password) => {
        const address = withCredentials('rtsp://cam:554/1?a=b', { login, password })
        expect(URL.canParse(address)).toBe(true)
        expect(splitCredentials(address)).toEqual({ url: 'rtsp://cam:554/1?a=b', credentials: { login, password } })
      }),
    )
  })

  test('are those of the fields, unless the URL has its own', () => {
    const typed = '://ann:a%40b%3Ac%2Fd%23e%25f%3F@'
    expect(
      [
        ['rtsp://cam/1', ann],
        [' rtsp://cam/1 ', none],
        ['rtsp://***@cam/1', ann],
        ['rtsp://***@cam/1', none],
        ['rtsp://me:x@cam/1', ann],
        ['rtsp://me:x/y@cam/1', ann],
        ['demo:gate', ann],
        ['', ann],
      ].map(([address, credentials]) =>
        typeof address === 'string' && typeof credentials === 'object' ? withCredentials(address, credentials) : null,
      ),
    ).toEqual([
      `rtsp${typed}cam/1`,
      'rtsp://cam/1',
      `rtsp${typed}cam/1`,
      'rtsp://***@cam/1',
      'rtsp://me:x@cam/1',
      'rtsp://me:x%2Fy@cam/1',
      'demo:gate',
      '',
    ])
  })

  test('are replaced, whether they are shown or hidden, and removed; other sources have no place for them', () => {
    const sources = ['rtsp://cam/1', ' rtsp://me:x@cam:554/1', 'rtsp://***@cam/1', 'demo:gate', 'file:///a.mp4', '']
    expect(sources.map((source) => replaceCredentials(source, ann))).toEqual([
      'rtsp://ann:a%40b%3Ac%2Fd%23e%25f%3F@cam/1',
      'rtsp://ann:a%40b%3Ac%2Fd%23e%25f%3F@cam:554/1',
      'rtsp://ann:a%40b%3Ac%2Fd%23e%25f%3F@cam/1',
      'demo:gate',
      'file:///a.mp4',
      '',
    ])
    expect(sources.map((source) => replaceCredentials(source, none))).toEqual([
      'rtsp://cam/1',
      'rtsp://cam:554/1',
      'rtsp://cam/1',
      'demo:gate',
      'file:///a.mp4',
      '',
    ])
  })

  test('of saved URLs go to the fields only if that is reversible', () => {
    const apart = { streamSource: 'rtsp://cam/1', substreamSource: 'rtsp://cam/2', login: 'ann', password: 'x' }
    const pairs = [
      ['rtsp://ann:x@cam/1', 'rtsp://ann:x@cam/2'],
      ['rtsp://ann:x@cam/1', ''],
      ['rtsp://ann:x@cam/1', 'rtsp://cam/2'],
      ['rtsp://ann:x@cam/1', 'rtsp://ann:y@cam/2'],
      ['rtsp://ann:a&b@cam/1', ''],
      ['rtsp://***@cam/1', 'rtsp://***@cam/2'],
      ['rtsp://cam/1', 'rtsp://ann:x@cam/2'],
    ] as const
    const fields = pairs.map(([main, sub]) => sourceFields(main, sub))
    const whole = ([streamSource, substreamSource]: readonly [string, string]) => ({
      streamSource,
      substreamSource,
      ...none,
    })
    expect(fields).toEqual([apart, { ...apart, substreamSource: '' }, ...pairs.slice(2).map(whole)])
    expect(fields.map(fullSources)).toEqual(
      pairs.map(([streamSource, substreamSource]) => ({ streamSource, substreamSource })),
    )
  })

  test('of a typed URL go to the fields, unless those have others', () => {
    expect([
      fieldsAfterEntry('streamSource', 'rtsp://ann:x@cam/1', none),
      fieldsAfterEntry('substreamSource', 'rtsp://ann:x@cam/2', { login: 'ann', password: 'x' }),
      fieldsAfterEntry('streamSource', 'rtsp://ann:x@cam/1', { login: 'ben', password: 'x' }),
      fieldsAfterEntry('streamSource', 'rtsp://***@cam/1', none),
      fieldsAfterEntry('streamSource', 'rtsp://cam/1', none),
    ]).toEqual([
      { streamSource: 'rtsp://cam/1', login: 'ann', password: 'x' },
      { substreamSource: 'rtsp://cam/2', login: 'ann', password: 'x' },
      { streamSource: 'rtsp://ann:x@cam/1' },
      { streamSource: 'rtsp://***@cam/1' },
      { streamSource: 'rtsp://cam/1' },
    ])
  })
})
