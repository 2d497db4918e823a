import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAuthorizer, type Authorization, type Authorizer } from '../../../server/media/authorization.ts'
import { createGuard, digestParameters, digestResponse, type Guard } from '../fixtures/guard.ts'

const ann = { username: 'ann', password: 'pass:word' }

/** Sends one request until it passes or is given up. Returns how it ended. */
const request = (authorizer: Authorizer, guard: Guard, method = 'DESCRIBE', uri = 'rtsp://camera/live'): string => {
  let sent: Authorization | undefined
  let challenge: string | undefined
  do {
    sent = authorizer.authorize(method, uri)
    challenge = guard.check(method, uri, sent?.value)
  } while (authorizer.answered(challenge === undefined ? 200 : 401, challenge === undefined ? [] : [challenge], sent))
  return challenge === undefined ? 'passed' : 'refused'
}

describe('the guard of these tests knows the examples of the standards', () => {
  const mufasa = { username: 'Mufasa', password: 'Circle of Life' }
  const start =
    'Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", ' +
    'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, ' +
    'cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth'
  test.each([
    ['MD5', start, '8ca523f5e9506fed4657c9700eebdbec', mufasa],
    ['SHA-256', start, '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1', mufasa],
    [
      'MD5',
      'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", uri="/dir/index.html", ' +
        'qop=auth, nc=00000001, cnonce="0a4f113b"',
      '6629fae49393a05397450978507c4ef1',
      { username: 'Mufasa', password: 'Circle Of Life' },
    ],
  ])('%s of %s', (kind, authorization, response, credentials) => {
    expect(digestResponse('GET', digestParameters(authorization), { ...credentials, kind })).toBe(response)
  })
})

describe('a server that asks for a password', () => {
  const kinds = [
    { kind: 'basic' },
    { kind: '' },
    { kind: 'MD5' },
    { kind: 'md5', qop: 'auth' },
    { kind: 'MD5-sess', qop: 'auth,auth-int' },
    { kind: 'SHA-256', qop: 'auth-int, auth' },
    { kind: 'SHA-256-sess', qop: 'auth' },
    { kind: 'SHA-256' },
  ]

  test.each(kinds)('gets it by %o, after one challenge', (kind) => {
    const guard = createGuard({ ...ann, ...kind })
    const authorizer = createAuthorizer(ann)
    expect(['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY'].map((method) => request(authorizer, guard, method))).toEqual(
      Array.from({ length: 4 }, () => 'passed'),
    )
    expect(guard.seen).toEqual(['asked', 'passed', 'passed', 'passed', 'passed'])
  })

  test.each(kinds)('gets a wrong one by %o once and never again', (kind) => {
    const guard = createGuard({ ...ann, ...kind })
    const authorizer = createAuthorizer({ ...ann, password: 'wrong' })
    expect([request(authorizer, guard), request(authorizer, guard)]).toEqual(['refused', 'refused'])
    expect(guard.seen).toEqual(['asked', 'wrong', 'asked'])
  })

  test('gets a password of any characters', () => {
    const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(letters, letters, fc.constantFrom(...kinds), (username, password, kind) => {
        const guard = createGuard({ username, password, ...kind })
        expect(request(createAuthorizer({ username, password }), guard, 'GET', '/a?b="c"')).toBe('passed')
      }),
    )
  })

  test.each([true, false])('and renews its nonce (stale=true: %s) gets it again', (sendsStale) => {
    const guard = createGuard({ ...ann, kind: 'MD5', qop: 'auth', uses: 2, sendsStale })
    const authorizer = createAuthorizer(ann)
    expect([1, 2, 3, 4, 5].map(() => request(authorizer, guard))).toEqual(Array.from({ length: 5 }, () => 'passed'))
    expect(guard.seen).toEqual(['asked', 'passed', 'passed', 'stale', 'passed', 'passed', 'stale', 'passed'])
  })
})

test('the requests for a nonce are counted from 1', () => {
  const authorizer = createAuthorizer(ann)
  const countsOf = (nonce: string) => {
    authorizer.answered(401, [`Digest realm="a", nonce="${nonce}", qop="auth"`], undefined)
    return [1, 2].map(() => digestParameters(authorizer.authorize('GET', '/')?.value ?? '').get('nc'))
  }
  expect([countsOf('b'), countsOf('c')]).toEqual(Array.from({ length: 2 }, () => ['00000001', '00000002']))
})

test.each([
  [['Basic realm="a"', 'Digest realm="a", nonce="b"'], /^Digest .*response="[0-9a-f]{32}"$/],
  [['Digest realm="a", nonce="b", Basic realm="a"'], /^Digest .*response="[0-9a-f]{32}"$/],
  [
    ['Digest realm="a", nonce="b", algorithm=MD5, Digest realm="a", nonce="c", algorithm=SHA-256'],
    /^Digest .*nonce="c".*response="[0-9a-f]{64}", algorithm=SHA-256$/,
  ],
  [['Digest realm="a", nonce="b", algorithm=SHA-999', 'Basic realm="a"'], /^Basic YW5uOnBhc3M6d29yZA==$/],
  [['Digest realm="a", nonce="b", qop="auth-int"', 'BASIC realm=a'], /^Basic /],
  [['Digest realm = "a" , nonce = "b"'], /^Digest .*realm="a", nonce="b"/],
])('of %j the strongest known challenge is answered', (challenges, value) => {
  const authorizer = createAuthorizer(ann)
  expect(authorizer.answered(401, challenges, undefined)).toBe(true)
  expect(authorizer.authorize('GET', '/')?.value).toMatch(value)
})

test.each([[[]], [['Negotiate abc==']], [['Digest realm="a"']], [['Digest nonce="b", algorithm=none']], [['"']]])(
  '%j can not be answered',
  (challenges) => {
    const authorizer = createAuthorizer(ann)
    expect(authorizer.answered(401, challenges, undefined)).toBe(false)
    expect(authorizer.authorize('GET', '/')).toBeUndefined()
  },
)

test('the answer to any challenge has one line', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 9, max: 255 }).map((code) => String.fromCharCode(code)) }),
      fc.constantFrom('Digest nonce="', 'Digest realm="', 'Digest nonce="a", opaque=', ''),
      (text, start) => {
        const header = (start + text).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
        const authorizer = createAuthorizer(ann)
        authorizer.answered(401, [header, 'Basic'], undefined)
        expect(authorizer.authorize('GET', '/')?.value).toMatch(/^[\t\x20-\x7e\x80-\xff]+$/)
      },
    ),
  )
})
