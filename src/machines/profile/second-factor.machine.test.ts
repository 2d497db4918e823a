import { type AnyActorRef, fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { Reply } from '../../api/reply.ts'
import { ok, refused, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import {
  codeFormMachine,
  type FactorAnswer,
  passwordFormMachine,
  secondFactorMachine,
  type SecondFactorEvent,
} from './second-factor.machine.ts'

const begun = { secret: 'JBSWY3DP', url: 'otpauth://totp/Sightline:ann?secret=JBSWY3DP' }
const codes = ['0123456789', '1234567890']
const nothing = { secret: '', url: '', recoveryCodes: [] }
const ann = userOf()
const input = { ...pageInput(), user: ann, settings: settingsOf({ features: ['totp'] }) }
const protectedInput = { ...input, user: { ...ann, hasTotp: true } }

type Answers = Partial<Record<'begin' | 'confirm' | 'remove', Reply<FactorAnswer>>>

function open({ begin = ok(begun), confirm = ok({ recoveryCodes: codes }), remove = ok({}) }: Answers, given = input) {
  const sent: unknown[] = []
  const answering = <Values>(answer: Reply<FactorAnswer>) =>
    fromPromise<Reply<FactorAnswer>, { values: Values; saved: Values }>(async ({ input: { values } }) => {
      sent.push(values)
      return answer
    })
  const page = openPage(
    secondFactorMachine.provide({
      actors: {
        begin: passwordFormMachine.provide({ actors: { submit: answering(begin) } }),
        confirm: codeFormMachine.provide({ actors: { submit: answering(confirm) } }),
        remove: passwordFormMachine.provide({ actors: { submit: answering(remove) } }),
      },
    }),
    given,
  )
  const form = () =>
    Object.values<AnyActorRef | undefined>(page.ref.getSnapshot().children).find((child) => child !== undefined)
  const submit = async (values: { password: string } | { code: string }) => {
    form()?.send({ type: 'form.edited', values })
    form()?.send({ type: 'form.submitted' })
    await settle()
  }
  return { ...page, sent, submit, errors: () => form()?.getSnapshot().context.errors }
}

const shownOf = ({ context }: ReturnType<typeof open>) => {
  const { secret, url, recoveryCodes } = context()
  return { secret, url, recoveryCodes }
}

describe('turning the second factor on (docs/behaviour.md §12)', () => {
  test('takes the password, then a code, then shows the recovery codes once', async () => {
    const opened = open({})
    const { send, submit, value, received, sent } = opened
    expect(value()).toBe('off')
    send({ type: 'factor.addRequested' })
    await submit({ password: 'correct horse' })
    expect({ value: value(), ...shownOf(opened) }).toEqual({ value: 'confirming', ...begun, recoveryCodes: [] })
    await submit({ code: '123 456' })
    expect({ value: value(), ...shownOf(opened) }).toEqual({
      value: 'showingCodes',
      ...nothing,
      recoveryCodes: codes,
    })
    expect(received).toEqual([{ type: 'user.patched', changes: { hasTotp: true, recoveryCodesLeft: 2 } }])
    send({ type: 'codes.kept' })
    expect({ value: value(), ...shownOf(opened) }).toEqual({ value: 'on', ...nothing })
    expect(sent).toEqual([{ password: 'correct horse' }, { code: '123 456' }])
  })

  test('a wrong password and a wrong code are errors beside their fields', async () => {
    const wrongPassword = open({ begin: refused(400, 'InvalidOldPassword') })
    wrongPassword.send({ type: 'factor.addRequested' })
    await wrongPassword.submit({ password: 'wrong' })
    expect({ value: wrongPassword.value(), errors: wrongPassword.errors() }).toEqual({
      value: 'proving',
      errors: { password: 'InvalidOldPassword' },
    })
    const wrongCode = open({ confirm: refused(400, 'UnknownLifetimeCode') })
    wrongCode.send({ type: 'factor.addRequested' })
    await wrongCode.submit({ password: 'correct horse' })
    await wrongCode.submit({ code: '000000' })
    expect({ value: wrongCode.value(), errors: wrongCode.errors(), received: wrongCode.received }).toEqual({
      value: 'confirming',
      errors: { code: 'UnknownLifetimeCode' },
      received: [],
    })
    await wrongCode.submit({ code: ' ' })
    expect(wrongCode.errors()).toEqual({ code: 'required' })
  })

  test('cancelled, it clears the key', async () => {
    const opened = open({})
    opened.send({ type: 'factor.addRequested' })
    await opened.submit({ password: 'correct horse' })
    opened.send({ type: 'factor.cancelled' })
    expect({ value: opened.value(), ...shownOf(opened), received: opened.received }).toEqual({
      value: 'off',
      ...nothing,
      received: [],
    })
  })
})

test('a required one lets the root continue, once the recovery codes are stored', async () => {
  const due = { ...ann, isTotpRequired: true }
  const { send, submit, received } = open({}, { ...input, user: due })
  send({ type: 'factor.addRequested' })
  await submit({ password: 'correct horse' })
  await submit({ code: '123456' })
  const changed = { type: 'user.patched', changes: { hasTotp: true, recoveryCodesLeft: 2 } }
  expect(received).toEqual([changed])
  send({ type: 'codes.kept' })
  expect(received).toEqual([changed, { type: 'factor.added' }])
})

test('turning it off takes the password', async () => {
  const { send, submit, value, received, sent } = open({}, protectedInput)
  expect(value()).toBe('on')
  send({ type: 'factor.removeRequested' })
  await submit({ password: 'correct horse' })
  expect({ value: value(), received, sent }).toEqual({
    value: 'off',
    received: [{ type: 'user.patched', changes: { hasTotp: false } }],
    sent: [{ password: 'correct horse' }],
  })
})

test('turned off and on again, it has as many recovery codes as were shown', async () => {
  const user = { ...ann, hasTotp: true, recoveryCodesLeft: 0 }
  const { send, submit, received } = open({}, { ...input, user })
  send({ type: 'factor.removeRequested' })
  await submit({ password: 'correct horse' })
  send({ type: 'factor.addRequested' })
  await submit({ password: 'correct horse' })
  await submit({ code: '123456' })
  expect(received).toEqual([
    { type: 'user.patched', changes: { hasTotp: false } },
    { type: 'user.patched', changes: { hasTotp: true, recoveryCodesLeft: 2 } },
  ])
})

test('if the server lacks the feature and it is off, there is nothing to do', async () => {
  expect(open({}, { ...input, settings: settingsOf() }).value()).toBe('absent')
  const { send, submit, value } = open({}, { ...protectedInput, settings: settingsOf() })
  expect(value()).toBe('on')
  send({ type: 'factor.removeRequested' })
  await submit({ password: 'correct horse' })
  expect(value()).toBe('absent')
})

test('every edge of the chart is walked', () => {
  const events = [
    { type: 'factor.addRequested' },
    { type: 'factor.removeRequested' },
    { type: 'factor.cancelled' },
    { type: 'codes.kept' },
    { type: 'form.saved', answer: begun, values: { password: 'x' } },
  ] satisfies SecondFactorEvent[]
  const model = secondFactorMachine.provide({
    actions: { notifyUser: () => undefined, notifyAdded: () => undefined },
  })
  const required = { ...input, user: { ...ann, isTotpRequired: true } }
  const withoutFeature = [input, protectedInput].map((given) => ({ ...given, settings: settingsOf() }))
  const walks = [input, protectedInput, required, ...withoutFeature].map((given) =>
    walkEdges(secondFactorMachine, { model, input: given, events, name: ({ value }) => JSON.stringify(value) }),
  )
  expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
  const declared = walks[0]?.declared ?? []
  const covered = new Set(walks.flatMap((walk) => [...walk.covered]))
  expect([...declared].filter((edge) => !covered.has(edge))).toEqual([])
})
