import { expect, test } from 'vitest'
import { startServer } from '../fixtures/harness.ts'

const undecoded = { status: 400, answer: { code: 'RequestDecodeError' } }
const noObject = { status: 400, answer: { code: 'RequestDecodeError', message: 'The body must be a JSON object' } }
const notFound = { status: 404, answer: { code: 'NotFound' } }

test.each([
  ['a broken address', 'GET', '/v1/%zz', undefined, undecoded],
  ['an address without end', 'GET', `/v1/user/${'x'.repeat(5000)}`, undefined, undecoded],
  [
    'a huge body',
    'PATCH',
    '/v1/user',
    JSON.stringify({ fullName: 'x'.repeat(2_000_000) }),
    { ...undecoded, status: 413 },
  ],
  ['a prototype in the body', 'PATCH', '/v1/user', '{"__proto__": {"isAdmin": true}, "fullName": "x"}', undecoded],
  ['a text in the body', 'PATCH', '/v1/user', '"text"', noObject],
  ['nothing in the body', 'POST', '/v1/token', '', noObject],
  ['a zero byte', 'GET', '/v1/user/a%00b', undefined, notFound],
  ['no such call', 'POST', '/v1/nothing', '{}', notFound],
  ['no such method', 'PUT', '/v1/users', '{}', notFound],
  [
    'a repeated query',
    'GET',
    '/v1/system/search?query=a&query=b',
    undefined,
    { status: 400, answer: { code: 'ValidationError', details: { query: 'Must be text' } } },
  ],
  [
    'a moment that its offset leads out of the years',
    'POST',
    '/v1/bookmarks',
    '{"streamId": "s1", "time": "9999-12-31T23:59:59.999-23:59"}',
    { status: 200, answer: { id: expect.any(String), streamId: 's1', time: '9999-12-31T23:59:59.999Z', note: '' } },
  ],
] as const)('%s is answered in the words of the contract', async (_name, method, url, body, expected) => {
  const { ask, addUser, addStream, signIn } = await startServer()
  await addUser('ann', true)
  await addStream('s1')
  const { status, body: answer } = await ask(method, url, { cookie: await signIn('ann'), body })
  expect({ status, answer }).toEqual(expected)
})

test('first starts are not tried without end', async () => {
  const { ask } = await startServer()
  const attempt = () => ask('POST', '/v1/system/unlock', { body: { login: 'ann', password: 'short' } })
  for (let count = 0; count < 20; count += 1) expect((await attempt()).status).toBe(400)
  const { status, body, headers } = await attempt()
  expect({ status, body, retryAfter: headers['retry-after'] }).toEqual({
    status: 429,
    body: { code: 'TooManyRequests' },
    // Of a minute that the first attempt began.
    retryAfter: expect.stringMatching(/^(?:60|[1-5]?\d)$/),
  })
})
