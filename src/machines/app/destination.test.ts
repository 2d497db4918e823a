import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { destinationHref, isDestination, readDestination } from './destination.ts'
import { matchRoute, routeNames } from './routes.ts'

const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const anything = fc.anything({ maxDepth: 2, maxKeys: 3 })

test('auth, password recovery, init and not-found are not worth coming back to (docs/behaviour.md §3)', () => {
  expect(routeNames.filter((name) => !isDestination(name))).toEqual(['auth', 'recoverPassword', 'init', 'notFound'])
})

describe('what was stored', () => {
  test('is read back, its query too', () => {
    const destination = {
      name: 'streamView',
      params: { uid: 'a/b я' },
      search: '?at=2026-11-21T08:00:00.000Z',
    } as const
    expect(readDestination(stored(destination))).toEqual(destination)
    expect(destinationHref(destination)).toBe('/stream/a%2Fb%20%D1%8F/view?at=2026-11-21T08:00:00.000Z')
  })

  test.each([
    [null],
    [undefined],
    [''],
    ['streams'],
    [7],
    [[]],
    [{}],
    [{ name: 'auth', params: {}, search: '' }],
    [{ name: 'notFound', params: {}, search: '' }],
    [{ name: 'nowhere', params: {}, search: '' }],
    [{ name: 'toString', params: {}, search: '' }],
    [{ name: ['streams'], params: {}, search: '' }],
    [{ name: { toString: 1, valueOf: 1 }, params: {}, search: '' }],
    [{ name: 'streams', params: null, search: '' }],
    [{ name: 'streams', params: 'x', search: '' }],
    [{ name: 'streamView', params: {}, search: '' }],
    [{ name: 'streamView', params: { uid: 7 }, search: '' }],
    [{ name: 'streamView', params: { uid: '' }, search: '' }],
    [{ name: 'user', params: { login: 'add' }, search: '' }],
  ])('%o is no destination', (value) => {
    expect(readDestination(value)).toBeNull()
  })

  test.each([['//evil.example'], ['https://evil.example'], ['/x'], [7], [null], ['#x']])(
    'the query %o is left out',
    (search) => {
      expect(readDestination({ name: 'streams', params: {}, search })).toEqual({
        name: 'streams',
        params: {},
        search: '',
      })
    },
  )

  test('never throws, and never leads elsewhere than to a route of ours', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '//evil.example',
        '/\\evil.example',
        'javascript:alert(1)',
        '..',
        '\ud800',
        '?x',
        '\t//evil.example',
      ),
    )
    const near = fc.record(
      {
        name: fc.oneof(fc.constantFrom(...routeNames), anything),
        params: fc.oneof(fc.dictionary(fc.constantFrom('uid', 'login', 'id', '__proto__'), texts), anything),
        search: fc.oneof(texts, anything),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          near,
          anything,
          fc.json().map((json) => JSON.parse(json)),
        ),
        (value) => {
          const destination = readDestination(value)
          if (destination === null) return
          const { origin, pathname } = new URL(`/ui${destinationHref(destination)}`, 'https://console.example')
          expect({ origin, name: matchRoute(pathname.slice(3)).name }).toEqual({
            origin: 'https://console.example',
            name: destination.name,
          })
        },
      ),
    )
  })
})
