import { type AnyActorRef, fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { PasskeyResult } from '../../api/browser/passkeys.ts'
import type { NewCredential, Passkey, PasskeyCreationOptions } from '../../api/contract/passkeys.ts'
import type { Reply } from '../../api/reply.ts'
import { noAnswer, ok, refused, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { never } from '../../../tests/machines/console.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { newPasskeyMachine } from './new-passkey.machine.ts'
import { newPasskeyFormMachine, passkeyNameFormMachine } from './passkey-forms.ts'
import { passkeysMachine, type PasskeysEvent } from './passkeys.machine.ts'

const now = Date.UTC(2026, 10, 21, 8)
const phone: Passkey = { id: 'k1', name: 'Phone', host: 'cams.example.org', createTime: now - 1000, lastUsedTime: null }
const laptop: Passkey = { ...phone, id: 'k2', name: 'Laptop', createTime: now }
const options: PasskeyCreationOptions = {
  rp: { id: 'cams.example.org', name: 'Sightline' },
  user: { id: 'AA', name: 'ann', displayName: 'ann' },
  challenge: 'AA',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
}
const credential: NewCredential = {
  id: 'AA',
  response: { clientDataJSON: 'AA', attestationObject: 'AA', transports: ['internal'] },
}
const input = { ...pageInput(), user: userOf(), settings: settingsOf({ features: ['passkeys'] }) }
const fetched = { reply: ok({ items: [phone] }), at: now, host: 'cams.example.org', device: 'Windows, Chrome' }
const added = { name: ' Laptop ', password: 'correct horse' }
const saved = { tone: 'success', code: 'profileUpdated', values: {} }

interface Answers {
  list?: Reply<{ items: readonly Passkey[] }>
  begin?: Reply<PasskeyCreationOptions>
  create?: () => PasskeyResult<NewCredential> | Promise<PasskeyResult<NewCredential>>
  add?: () => Reply<Passkey> | Promise<Reply<Passkey>>
  rename?: Reply<object>
  remove?: () => Reply<object> | Promise<Reply<object>>
}

function open(answers: Answers = {}, given = input) {
  const {
    list = fetched.reply,
    begin = ok(options),
    create = () => ({ ok: true, value: credential }),
    add = () => ok(laptop),
    rename = ok({}),
    remove = () => ok({}),
  } = answers
  const sent: unknown[] = []
  const page = openPage(
    passkeysMachine.provide({
      actors: {
        newPasskey: newPasskeyMachine.provide({
          actors: {
            form: newPasskeyFormMachine.provide({
              actors: {
                submit: fromPromise(async ({ input: { values } }) => {
                  sent.push(values)
                  return begin
                }),
              },
            }),
            createPasskey: fromPromise(async ({ input }) => {
              sent.push(input)
              return create()
            }),
            addPasskey: fromPromise(async ({ input }) => {
              sent.push(input)
              return add()
            }),
          },
        }),
        rename: passkeyNameFormMachine.provide({
          actors: {
            submit: fromPromise(async ({ input: { values } }) => {
              sent.push(values)
              return rename
            }),
          },
        }),
        fetchPasskeys: fromPromise(async () => ({ ...fetched, reply: list })),
        removePasskey: fromPromise(async ({ input }) => {
          sent.push(input)
          return remove()
        }),
      },
    }),
    given,
  )
  const childOf = (ref: AnyActorRef, name: string): AnyActorRef | undefined => ref.getSnapshot().children[name]
  const send = async (...events: PasskeysEvent[]) => {
    for (const event of events) page.send(event)
    await settle()
  }
  const submit = async (form: AnyActorRef | undefined, values: object) => {
    form?.send({ type: 'form.edited', values })
    form?.send({ type: 'form.submitted' })
    await settle()
  }
  const adding = () => childOf(page.ref, 'newPasskey')
  const newForm = () => {
    const addition = adding()
    return addition === undefined ? undefined : childOf(addition, 'form')
  }
  const addPasskey = async (values: object = added) => {
    await send({ type: 'passkey.addRequested' })
    await submit(newForm(), values)
  }
  return { ...page, sent, send, submit, adding, newForm, addPasskey, rename: () => childOf(page.ref, 'rename') }
}

const inDialog = (dialog: string) => ({ present: { list: 'ready', dialog } })

test('without the feature there is nothing', () => {
  expect(open({}, { ...input, settings: settingsOf() }).value()).toBe('absent')
})

describe('the list (docs/behaviour.md §12)', () => {
  test('has the passkeys, when they were fetched, and where the console is', async () => {
    const { value, context } = open()
    await settle()
    const { passkeys, at, host, device } = context()
    expect({ value: value(), passkeys, at, host, device }).toEqual({
      value: inDialog('closed'),
      passkeys: [phone],
      at: now,
      host: 'cams.example.org',
      device: 'Windows, Chrome',
    })
  })

  test('says why it is missing, and can be asked for again', async () => {
    const { value, context, send, toasts } = open({ list: refused(500, 'InternalServerError') })
    await settle()
    expect({ value: value(), apiError: context().apiError, toasts: toasts()?.map(({ code }) => code) }).toEqual({
      value: { present: { list: 'failed', dialog: 'closed' } },
      apiError: { ...noAnswer, status: 500, code: 'InternalServerError' },
      toasts: ['InternalServerError'],
    })
    await send({ type: 'list.retried' })
    expect(value()).toEqual({ present: { list: 'failed', dialog: 'closed' } })
  })
})

describe('adding a passkey', () => {
  test('takes a name and the password, then the browser, then the server', async () => {
    const { addPasskey, newForm, send, sent, value, context, toasts } = open()
    await settle()
    await send({ type: 'passkey.addRequested' })
    expect(newForm()?.getSnapshot().context.values).toEqual({ name: 'Windows, Chrome', password: '' })
    await send({ type: 'passkey.cancelled' })
    await addPasskey()
    expect({ value: value(), sent, passkeys: context().passkeys, toasts: toasts() }).toEqual({
      value: inDialog('closed'),
      sent: [added, options, { name: 'Laptop', credential }],
      passkeys: [phone, laptop],
      toasts: [saved],
    })
  })

  test.each([
    [{ name: ' ', password: 'x' }, { name: 'required' }],
    [{ name: 'Phone', password: '' }, { password: 'required' }],
  ])('%o is not sent', async (values, errors) => {
    const { addPasskey, newForm, sent } = open()
    await settle()
    await addPasskey(values)
    expect({ errors: newForm()?.getSnapshot().context.errors, sent }).toEqual({ errors, sent: [] })
  })

  test('a wrong password is an error beside its field', async () => {
    const { addPasskey, newForm, toasts } = open({ begin: refused(400, 'InvalidOldPassword') })
    await settle()
    await addPasskey()
    expect({ errors: newForm()?.getSnapshot().context.errors, toasts: toasts() }).toEqual({
      errors: { password: 'InvalidOldPassword' },
      toasts: [],
    })
  })

  test.each([
    ['cancelled', null],
    ['existing', 'existing'],
    ['unsuitable', 'unsuitable'],
    ['failed', 'failed'],
  ] as const)('the browser made none (%s)', async (reason, failure) => {
    const { addPasskey, send, value, context, toasts } = open({ create: () => ({ ok: false, reason }) })
    await settle()
    await addPasskey()
    expect({ value: value(), failure: context().failure, passkeys: context().passkeys, toasts: toasts() }).toEqual({
      value: inDialog('closed'),
      failure,
      passkeys: [phone],
      toasts: [],
    })
    await send({ type: 'passkey.addRequested' })
    expect(context().failure).toBeNull()
  })

  test.each([
    [{ create: () => Promise.reject(new Error('broken')) }, 'failed', []],
    [{ add: () => refused(400, 'ValidationError') }, 'failed', []],
    [{ add: () => refused(403, 'QuotaReached') }, null, ['QuotaReached']],
    [{ add: () => Promise.reject(new Error('broken')) }, null, ['']],
  ] satisfies [Answers, string | null, string[]][])('%o', async (answers, failure, codes) => {
    const { addPasskey, value, context, toasts } = open(answers)
    await settle()
    await addPasskey()
    expect({ value: value(), failure: context().failure, toasts: toasts()?.map(({ code }) => code) }).toEqual({
      value: inDialog('closed'),
      failure,
      toasts: codes,
    })
  })

  test('leaving while the browser asks ends it', async () => {
    const { addPasskey, adding, send, value } = open({ create: never })
    await settle()
    await addPasskey()
    expect(adding()?.getSnapshot().value).toBe('creating')
    await send({ type: 'passkey.cancelled' })
    expect({ value: value(), adding: adding() }).toEqual({ value: inDialog('closed'), adding: undefined })
  })

  test('is not for users of another system', async () => {
    const { send, value } = open({}, { ...input, user: userOf({ isManaged: true }) })
    await settle()
    await send({ type: 'passkey.addRequested' })
    expect(value()).toEqual(inDialog('closed'))
  })
})

describe('changing a passkey', () => {
  test('it is renamed', async () => {
    const { send, submit, rename, sent, value, context, toasts } = open()
    await settle()
    await send({ type: 'passkey.renameRequested', passkey: phone })
    expect(rename()?.getSnapshot().context.values).toEqual({ id: 'k1', name: 'Phone' })
    await submit(rename(), { name: 'Old phone ' })
    expect({ value: value(), sent, passkeys: context().passkeys, toasts: toasts() }).toEqual({
      value: inDialog('closed'),
      sent: [{ id: 'k1', name: 'Old phone ' }],
      passkeys: [{ ...phone, name: 'Old phone' }],
      toasts: [saved],
    })
  })

  test.each([ok({}), refused(404, 'NotFound')])('it is removed when that was confirmed: %o', async (answer) => {
    const { send, sent, value, context, toasts } = open({ remove: () => answer })
    await settle()
    await send({ type: 'passkey.removeRequested', passkey: phone }, { type: 'passkey.cancelled' })
    expect(context().passkeys).toEqual([phone])
    await send({ type: 'passkey.removeRequested', passkey: phone }, { type: 'removal.confirmed' })
    expect({ value: value(), sent, passkeys: context().passkeys, toasts: toasts() }).toEqual({
      value: inDialog('closed'),
      sent: [{ id: 'k1' }],
      passkeys: [],
      toasts: [saved],
    })
  })

  test.each([
    [() => refused(403, 'Forbidden'), 'Forbidden'],
    [() => Promise.reject(new Error('broken')), ''],
  ])('a failed removal keeps it', async (remove, code) => {
    const { send, context, toasts } = open({ remove })
    await settle()
    await send({ type: 'passkey.removeRequested', passkey: phone }, { type: 'removal.confirmed' })
    expect({ passkeys: context().passkeys, toasts: toasts()?.map((toast) => toast.code) }).toEqual({
      passkeys: [phone],
      toasts: [code],
    })
  })
})

test('every edge of the list is walked', () => {
  const events = [
    { type: 'list.retried' },
    { type: 'passkey.addRequested' },
    { type: 'passkey.renameRequested', passkey: phone },
    { type: 'passkey.removeRequested', passkey: phone },
    { type: 'passkey.cancelled' },
    { type: 'removal.confirmed' },
    { type: 'form.saved', answer: {}, values: { id: 'k1', name: 'Old phone' } },
  ] satisfies PasskeysEvent[]
  const answers = [
    ...[fetched, { ...fetched, reply: refused(500, '') }, { ...fetched, reply: refused(404, 'NotFound') }].map(
      (output) => ({ type: 'xstate.done.actor.fetchPasskeys', output }),
    ),
    ...[
      { passkey: laptop, failure: null },
      { passkey: null, failure: 'existing' },
    ].map((output) => ({ type: 'xstate.done.actor.newPasskey', output })),
    ...[ok({}), refused(500, '')].map((output) => ({ type: 'xstate.done.actor.removePasskey', output })),
    ...['fetchPasskeys', 'newPasskey', 'removePasskey'].map((actor) => ({
      type: `xstate.error.actor.${actor}`,
      error: new Error('broken'),
    })),
  ]
  const model = passkeysMachine.provide({ actions: { notifyMissing: () => undefined } })
  const walks = [input, { ...input, settings: settingsOf() }].map((given) =>
    walkEdges(passkeysMachine, {
      model,
      input: given,
      events: [...events, ...answers],
      name: ({ value }) => JSON.stringify(value),
    }),
  )
  expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
  const declared = walks[0]?.declared ?? []
  const covered = new Set(walks.flatMap((walk) => [...walk.covered]))
  expect([...declared].filter((edge) => !covered.has(edge))).toEqual([])
})

test('every edge of adding is walked', () => {
  const walked = walkEdges(newPasskeyMachine, {
    model: newPasskeyMachine,
    input: { device: '' },
    events: [
      { type: 'form.saved', answer: options, values: added },
      ...[
        { ok: true, value: credential },
        { ok: false, reason: 'cancelled' },
        { ok: false, reason: 'existing' },
      ].map((output) => ({ type: 'xstate.done.actor.createPasskey', output })),
      ...[ok(laptop), refused(400, 'ValidationError'), refused(500, '')].map((output) => ({
        type: 'xstate.done.actor.addPasskey',
        output,
      })),
      ...['createPasskey', 'addPasskey'].map((actor) => ({
        type: `xstate.error.actor.${actor}`,
        error: new Error('broken'),
      })),
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
