import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { Settings } from '../../api/contract/settings.ts'
import type { User } from '../../api/contract/user.ts'
import type { Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FieldErrors, FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast } from '../notifications/toast.ts'
import { revocationFeature } from '../tokens/features.ts'

export interface ProfileValues {
  fullName: string
  email: string
  language: string
  oldPassword: string
  password: string
  /** What a new password does to the user's API tokens; '' if the server can't revoke them. */
  tokens: '' | 'kept' | 'revoked'
}

/** A new password needs the old one (docs/behaviour.md §12); the server checks both. */
function validateProfile({ password, oldPassword }: ProfileValues): FieldErrors {
  return password !== '' && oldPassword === '' ? { oldPassword: 'required' } : {}
}

export const profileFormMachine = formMachineOf<ProfileValues, object>({
  fieldOfCode: {
    InvalidOldPassword: 'oldPassword',
    OldPasswordAndNewPasswordCannotBeSame: 'password',
    PasswordIsNotComplexEnough: 'password',
    AlreadyUsed: 'email',
  },
  validate: validateProfile,
  afterSave: (_answer, { oldPassword, password, tokens }) => ({ oldPassword, password, tokens }),
  draft: ({ oldPassword: _, password: __, tokens: ___, ...rest }) => rest,
})

/**
 * The user's own profile (docs/behaviour.md §12): a form. The root machine gets the saved values at once, as the user
 * may leave the page. Then the user is fetched again, as the response to saving may be empty, and the root machine gets
 * the answer; after a new password it is notified of that too.
 */
export const profileEditMachine = setup({
  types: {
    /**
     * `saved`: the values of the form that were saved last. `isPasswordNew`: a new password was saved, of which the
     * root machine isn't notified yet.
     */
    context: {} as { form: ActorRefFrom<typeof profileFormMachine>; saved: ProfileValues; isPasswordNew: boolean },
    events: {} as FormReport<ProfileValues, object>,
    input: {} as PageInput,
  },
  actors: { form: profileFormMachine, fetchUser: fromPromise<Reply<User>>(notProvided) },
  actions: {
    notifySaved: enqueueActions(({ enqueue, system }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'profileUpdated' })
    }),
    notifyChanges: sendParent(({ context: { saved } }, { values }: { values: ProfileValues }) => ({
      type: 'user.patched',
      changes: changesOf(values, saved),
    })),
    notifyUser: enqueueActions(({ enqueue }, { reply }: { reply: Reply<User> }) => {
      if (reply.ok) enqueue.sendParent({ type: 'user.changed', user: reply.value })
    }),
    notifyPassword: sendParent({ type: 'password.changed' }),
    forgetPassword: assign({ isPasswordNew: false }),
  },
  guards: { hasNewPassword: ({ context }) => context.isPasswordNew },
}).createMachine({
  id: 'profileEdit',
  context: ({ spawn, input: { user, settings } }) => {
    const values = valuesOf(user, settings)
    return {
      form: spawn('form', {
        id: 'form',
        input: { values, facts: null },
      }),
      saved: values,
      isPasswordNew: false,
    }
  },
  initial: 'editing',
  on: {
    'form.saved': {
      target: '.refreshing',
      reenter: true,
      actions: [
        { type: 'notifyChanges', params: ({ event }) => ({ values: event.values }) },
        assign(({ context, event }) => ({
          saved: event.values,
          isPasswordNew: context.isPasswordNew || event.values.password !== '',
        })),
        'notifySaved',
      ],
    },
  },
  states: {
    editing: {},
    refreshing: {
      invoke: {
        id: 'fetchUser',
        src: 'fetchUser',
        onDone: {
          target: 'refreshed',
          actions: { type: 'notifyUser', params: ({ event }) => ({ reply: event.output }) },
        },
        onError: 'refreshed',
      },
    },
    refreshed: {
      always: [
        { guard: 'hasNewPassword', target: 'editing', actions: ['notifyPassword', 'forgetPassword'] },
        { target: 'editing' },
      ],
    },
  },
})

function valuesOf(user: User | null, { features }: Settings): ProfileValues {
  const { fullName = '', email = '', language = '' } = user ?? {}
  const tokens = features.includes(revocationFeature) ? 'revoked' : ''
  return { fullName, email, language, oldPassword: '', password: '', tokens }
}

/** The language only if the form has changed it: the menu may have, since the page was opened. */
const changesOf = ({ fullName, email, language, password }: ProfileValues, saved: ProfileValues): Partial<User> => ({
  fullName: fullName.trim(),
  email: email.trim(),
  ...(language === saved.language ? {} : { language }),
  ...(password === '' ? {} : { mustChangePassword: false }),
})
