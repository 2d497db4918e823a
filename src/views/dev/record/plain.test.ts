import { expect, test } from 'vitest'
import { createActor, createMachine, fromPromise } from 'xstate'
import { masked, plain, plainEvent, revive } from './plain.ts'

const license = `${'Ab3'.repeat(40)}\n${'xY9'.repeat(20)}`

test.each([
  [
    { login: 'ann', password: 'x', oldPassword: '' },
    { login: 'ann', password: masked, oldPassword: '' },
  ],
  [
    { mustChangePassword: true, tokens: [{ id: '7', name: 'ci' }] },
    { mustChangePassword: true, tokens: [{ id: '7', name: 'ci' }] },
  ],
  [
    { tokens: ['a', 'b'], headers: { Authorization: 'Bearer abc' } },
    { tokens: [masked, masked], headers: { Authorization: masked } },
  ],
  [{ code: '042913' }, { code: masked }],
  [
    { code: 'AuthorizationFailed', status: 401 },
    { code: 'AuthorizationFailed', status: 401 },
  ],
  [{ url: '/ui/stream/a/view#token=s3cr3t&x=1' }, { url: `/ui/stream/a/view#token=${masked}&x=1` }],
  [
    { href: 'rtsp://cam:pa55@host/1?share_key=q', text: 'sent Bearer abc.def' },
    { href: `rtsp://cam:${masked}@host/1?share_key=${masked}`, text: `sent Bearer ${masked}` },
  ],
  [{ href: 'rtsp://cam:p@55@host/1' }, { href: `rtsp://cam:${masked}@host/1` }],
  [
    { text: license, license: { text: 'short', until: 5 } },
    { text: masked, license: { text: 'short', until: 5 } },
  ],
  [
    new Map([
      ['password', 'x'],
      ['login', 'ann'],
    ]),
    {
      $map: [
        ['password', masked],
        ['login', 'ann'],
      ],
    },
  ],
])('of %j secrets are masked', (value, masked) => {
  expect(plain(value)).toEqual(masked)
})

test('an event about a secret has none of its texts, and what a machine gets from an actor goes by its keys', () => {
  expect(plainEvent({ type: 'secret.copied', text: 'abc', times: 2 } as { type: string })).toEqual({
    type: 'secret.copied',
    text: masked,
    times: 2,
  })
  expect(
    plainEvent({ type: 'xstate.done.actor.createToken', output: { ok: true, value: { token: 'x', name: 'ci' } } } as {
      type: string
    }),
  ).toEqual({
    type: 'xstate.done.actor.createToken',
    output: { ok: true, value: { token: masked, name: 'ci' } },
  })
})

test('actors, logic, functions and what is too deep are named', () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  const actor = createActor(createMachine({}), { id: 'one' })
  expect(
    plain({
      actor,
      machine: createMachine({ id: 'm' }),
      promise: fromPromise(() => Promise.resolve()),
      f: Math.max,
      error: new TypeError('no'),
      at: new Date(0),
    }),
  ).toEqual({
    actor: { $actor: 'one' },
    machine: { $machine: 'm' },
    promise: { $logic: true },
    f: { $function: 'max' },
    error: { $error: 'no' },
    at: { $object: 'Date' },
  })
  expect(JSON.stringify(plain(circle))).toContain('"$deeper":true')
})

test('what was written comes back', () => {
  const value = { list: [1, Infinity], names: new Map([['a', new Set(['b'])]]), nothing: null, is: true }
  expect(revive(plain(value), { machine: () => null, actor: () => null })).toEqual(value)
  expect(
    revive(
      { logic: { $machine: 'm' }, ref: { $actor: 'a' } },
      { machine: (id) => `machine ${id}`, actor: (id) => `actor ${id}` },
    ),
  ).toEqual({ logic: 'machine m', ref: 'actor a' })
})
