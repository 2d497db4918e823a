import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import { User } from '../../api/contract/user.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { FormReport } from '../form/form.events.ts'
import { profileEditMachine, profileFormMachine, type ProfileValues } from './profile-edit.machine.ts'
import { profilePatch } from './profile-patch.ts'

const ann = User.parse({ name: 'ann', fullName: 'Ann Lee', email: 'ann@example.org', language: 'en' })
const input = pageInput({ user: ann })

interface Given {
  save?: () => Promise<Reply<object>>
  fetch?: () => Promise<Reply<User>>
  features?: string[]
}

const unavailable = async () => refused(500, 'InternalServerError')

function open({ save = async () => ok({}), fetch = unavailable, features = [] }: Given, user = ann) {
  const page = openPage(
    profileEditMachine.provide({
      actors: {
        form: profileFormMachine.provide({ actors: { submit: fromPromise(save) } }),
        fetchUser: fromPromise(fetch),
      },
    }),
    { ...input, user, settings: settingsOf({ features }) },
  )
  const { form } = page.context()
  return {
    ...page,
    save: (values: Partial<ProfileValues>) => {
      form.send({ type: 'form.edited', values })
      form.send({ type: 'form.submitted' })
    },
    form: () => form.getSnapshot().context,
  }
}

describe('the own profile (docs/behaviour.md §12)', () => {
  test('is saved, reported and fetched again, and then the password is reported', async () => {
    const { save, received, toasts, form } = open({ fetch: async () => ok({ ...ann, fullName: 'Ann O', email: '' }) })
    save({ fullName: 'Ann O. ', oldPassword: 'a', password: 'b' })
    await settle()
    await settle()
    expect(received).toEqual([
      { type: 'user.patched', changes: { fullName: 'Ann O.', email: 'ann@example.org', mustChangePassword: false } },
      { type: 'user.changed', user: { ...ann, fullName: 'Ann O', email: '' } },
      { type: 'password.changed' },
    ])
    expect(toasts()).toEqual([{ tone: 'success', code: 'profileUpdated', values: {} }])
    expect(form().values).toEqual({
      fullName: 'Ann O. ',
      email: 'ann@example.org',
      language: 'en',
      oldPassword: '',
      password: '',
      tokens: '',
    })
  })

  test("is reported from the form if it can't be fetched, with the language only if the form changed it", async () => {
    const { save, received } = open({})
    save({ language: 'ru' })
    await settle()
    await settle()
    const { fullName, email } = ann
    const changed = { type: 'user.patched', changes: { fullName, email, language: 'ru' } }
    expect(received).toEqual([changed])
    save({ email: '' })
    await settle()
    await settle()
    expect(received).toEqual([changed, { type: 'user.patched', changes: { fullName, email: '' } }])
  })

  test("a new password ends its requirement, even if the user can't be fetched then", async () => {
    const due = { ...ann, mustChangePassword: true }
    const { save, received } = open({}, due)
    save({ oldPassword: 'a', password: 'b' })
    await settle()
    await settle()
    const { fullName, email } = due
    const changed = { type: 'user.patched', changes: { fullName, email, mustChangePassword: false } }
    expect(received).toEqual([changed, { type: 'password.changed' }])
  })

  test('a new password needs the old one', async () => {
    const { save, received, form } = open({})
    save({ password: 'b' })
    await settle()
    expect({ received, errors: form().errors }).toEqual({ received: [], errors: { oldPassword: 'required' } })
  })

  test.each([
    ['InvalidOldPassword', 'oldPassword', []],
    ['OldPasswordAndNewPasswordCannotBeSame', 'password', []],
    ['PasswordIsNotComplexEnough', 'password', ['PasswordIsNotComplexEnough']],
    ['AlreadyUsed', 'email', ['AlreadyUsed']],
  ])(
    '%s lands beside %s and, but for the two about the old password (docs/behaviour.md §12), in a toast',
    async (code, field, toast) => {
      const { save, toasts, form } = open({ save: async () => refused(400, code) })
      save({ oldPassword: 'a', password: 'b' })
      await settle()
      expect({
        errors: form().errors,
        toasts: toasts()?.map((toast) => toast.code),
        password: form().values.password,
      }).toEqual({ errors: { [field]: code }, toasts: toast, password: 'b' })
    },
  )

  test('only changed fields are sent', () => {
    const saved: ProfileValues = {
      fullName: 'Ann',
      email: 'a@b',
      language: 'en',
      oldPassword: '',
      password: '',
      tokens: '',
    }
    expect(profilePatch({ ...saved, fullName: ' Ann ', oldPassword: 'typed by the browser' }, saved)).toEqual({})
    expect(profilePatch({ ...saved, email: 'c@d', language: '', oldPassword: 'a', password: 'b' }, saved)).toEqual({
      email: 'c@d',
      language: '',
      oldPassword: 'a',
      password: 'b',
    })
    expect(profilePatch({ ...saved, email: 'c@d', oldPassword: 'a' }, saved)).toEqual({
      email: 'c@d',
      oldPassword: 'a',
    })
    const typed = { ...saved, fullName: ' Ann', email: 'a@b ' }
    expect(profilePatch({ ...typed, language: 'ru', oldPassword: 'a' }, typed)).toEqual({ language: 'ru' })
    expect(profilePatch({ ...saved, tokens: 'kept' }, { ...saved, tokens: 'revoked' })).toEqual({})
  })

  test('a new password comes with what becomes of the tokens, if the server has the feature', async () => {
    const password = { oldPassword: 'a', password: 'b' }
    const { save, form } = open({ features: ['token-revocation'] })
    const saved = form().values
    expect([saved.tokens, open({}).form().values.tokens]).toEqual(['revoked', ''])
    expect(profilePatch({ ...saved, ...password }, saved)).toEqual({ ...password, revokeTokens: true })
    expect(profilePatch({ ...saved, ...password, tokens: 'kept' }, saved)).toEqual({ ...password, revokeTokens: false })
    save({ ...password, tokens: 'kept' })
    await settle()
    expect(form().values).toEqual(saved)
  })

  test('every edge of the chart is walked', () => {
    const values: ProfileValues = { fullName: '', email: '', language: '', oldPassword: '', password: '', tokens: '' }
    const events = [
      { type: 'form.saved', answer: {}, values },
      { type: 'form.saved', answer: {}, values: { ...values, password: 'b' } },
    ] satisfies FormReport<ProfileValues, object>[]
    const quiet = {
      notifySaved: () => undefined,
      notifyChanges: () => undefined,
      notifyUser: () => undefined,
      notifyPassword: () => undefined,
    }
    const { declared, covered, strayed } = walkEdges(profileEditMachine, {
      model: profileEditMachine.provide({ actions: quiet }),
      input,
      events: [
        ...events,
        { type: 'xstate.done.actor.fetchUser', output: ok(ann) },
        { type: 'xstate.error.actor.fetchUser', error: new Error('not provided') },
      ],
      name: ({ value, context }) => `${JSON.stringify(value)} ${context.isPasswordNew}`,
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
