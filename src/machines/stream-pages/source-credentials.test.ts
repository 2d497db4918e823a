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
    const encoded = { ...apart, substreamSource: '', password: 'a&b', originalSource: 'rtsp://ann:a&b@cam/1' }
    expect(fields).toEqual([
      apart,
      { ...apart, substreamSource: '' },
      ...pairs.slice(2, 4).map(whole),
      encoded,
      ...pairs.slice(5).map(whole),
    ])
    expect(fields.map(fullSources)).toEqual(
      pairs.map(([streamSource, substreamSource]) => ({ streamSource, substreamSource })),
    )
  })

  const written = [
    'rtsp://a:p$s@h/1',
    'rtsp://a:p%24s@h/1',
    'rtsp://a:p%2fs@h/1',
    'rtsp://a:p%40s@h/1',
    'rtsp://a:p:s@h/1',
    'rtsp://a:100%@h/1',
    'rtsp://a:@h/1',
    'rtsp://a:жé😀@h/1',
    "rtsp://a+b:(p!*'&=,;)@h:554/1?a=b@c",
  ]
  /** They end an authority: a typed URL with them is percent-encoded, a saved one stays as the server has it. */
  const odd = ['rtsp://a:p@s@h/1', 'rtsp://a:p/s@h/1', 'rtsp://a:p#s@h/1', 'rtsp://a:p?s@h/1', 'rtsp://p@s:x@:%@h/1']

  test.each([...written, ...odd])('%s is sent as it was saved, alone and with a substream', (url) => {
    const sub = url.replace(/1(?!.*1)/, '2')
    for (const [main, second] of [
      [url, ''],
      [url, sub],
      [url, 'rtsp://ben:y@h/2'],
      ['rtsp://ben:y@h/1', sub],
      [` ${url}`, 'rtsp://h/2 '],
    ] as const)
      expect(fullSources(sourceFields(main, second))).toEqual({ streamSource: main, substreamSource: second })
    const fields = sourceFields(url, sub)
    const changed = fullSources({ ...fields, login: 'ben', password: '$' })
    expect(changed.streamSource).toMatch(/^rtsp:\/\/ben:%24@h/)
    expect(changed.substreamSource).toMatch(/^rtsp:\/\/ben:%24@h/)
    expect(fullSources({ ...fields, streamSource: 'rtsp://other/1' }).streamSource).not.toContain('@h')
  })

  test.each(written)('%s is sent as it was typed, and again after other credentials', (url) => {
    const empty = { streamSource: '', substreamSource: '', ...none }
    const typed = { ...empty, ...fieldsAfterEntry('streamSource', url, none) }
    expect([typed.streamSource.startsWith('rtsp://h'), fullSources(typed).streamSource]).toEqual([true, url])
    const other = { ...typed, ...fieldsAfterEntry('streamSource', 'rtsp://a:p%24s@h/1', { ...typed, ...none }) }
    expect(fullSources(other).streamSource).toBe('rtsp://a:p%24s@h/1')
    const back = { ...other, ...fieldsAfterEntry('streamSource', url, { ...other, ...none }) }
    expect(fullSources(back).streamSource).toBe(url)
  })

  test('any saved URLs are sent as they were', () => {
    const source = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.tuple(fc.string(), fc.string()).map(([login, password]) => `rtsp://${login}:${password}@cam/1`),
    )
    fc.assert(
      fc.property(source, source, (streamSource, substreamSource) => {
        expect(fullSources(sourceFields(streamSource, substreamSource))).toEqual({ streamSource, substreamSource })
      }),
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
