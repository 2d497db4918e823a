import { assign, sendParent, setup } from 'xstate'
import type { User } from '../../api/contract/user.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { totpFeature } from './features.ts'

type PasswordValues = { password: string }
type CodeValues = { code: string }

/** The reply to each step: the secret with the URL of its QR code, then the recovery codes, then nothing. */
export type FactorAnswer = {
  secret?: string | undefined
  url?: string | undefined
  recoveryCodes?: readonly string[] | undefined
}

export const passwordFormMachine = formMachineOf<PasswordValues, FactorAnswer>({
  fieldOfCode: { InvalidOldPassword: 'password' },
  validate: ({ password }) => (password === '' ? { password: 'required' } : {}),
})

export const codeFormMachine = formMachineOf<CodeValues, FactorAnswer>({
  fieldOfCode: { UnknownLifetimeCode: 'code' },
  validate: ({ code }) => (code.trim() === '' ? { code: 'required' } : {}),
})

export type SecondFactorEvent =
  | { type: 'factor.addRequested' }
  | { type: 'factor.removeRequested' }
  | { type: 'factor.cancelled' }
  /** The user has stored the recovery codes. */
  | { type: 'codes.kept' }
  | FormReport<PasswordValues | CodeValues, FactorAnswer>

interface Context {
  user: User | null
  /** The server has the feature. */
  isOffered: boolean
  secret: string
  url: string
  recoveryCodes: readonly string[]
}

const passwordInput = { values: { password: '' }, facts: null }

/**
 * The user's own second factor (docs/behaviour.md §12). Turning it on takes the password, then a code of the app that
 * scanned the QR code; then the recovery codes are shown once. Turning it off takes the password.
 */
export const secondFactorMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SecondFactorEvent,
    input: {} as PageInput,
    children: {} as { begin: 'begin'; confirm: 'confirm'; remove: 'remove' },
  },
  actors: { begin: passwordFormMachine, confirm: codeFormMachine, remove: passwordFormMachine },
  actions: {
    assignAnswer: assign((_, { answer: { secret = '', url = '', recoveryCodes = [] } }: { answer: FactorAnswer }) => ({
      secret,
      url,
      recoveryCodes,
    })),
    notifyAdded: sendParent({ type: 'factor.added' }),
    forgetAnswer: assign({ secret: '', url: '', recoveryCodes: [] }),
    notifyUser: sendParent(({ context: { recoveryCodes } }, { hasTotp }: { hasTotp: boolean }) => ({
      type: 'user.patched',
      changes: { hasTotp, recoveryCodesLeft: hasTotp ? recoveryCodes.length : undefined },
    })),
  },
  guards: {
    /** The root machine redirected here, and leaves once the second factor is on. */
    isRequired: ({ context }) => context.user?.isTotpRequired === true,
    isOn: ({ context }) => context.user?.hasTotp === true,
    isOffered: ({ context }) => context.isOffered,
  },
}).createMachine({
  id: 'secondFactor',
  context: ({ input: { user, settings } }) => ({
    user,
    isOffered: settings.features.includes(totpFeature),
    secret: '',
    url: '',
    recoveryCodes: [],
  }),
  initial: 'deciding',
  states: {
    deciding: {
      always: [{ guard: 'isOn', target: 'on' }, { guard: 'isOffered', target: 'off' }, { target: 'absent' }],
    },
    absent: {},
    off: { on: { 'factor.addRequested': 'proving' } },
    proving: {
      invoke: { id: 'begin', src: 'begin', input: passwordInput },
      on: {
        'form.saved': {
          target: 'confirming',
          actions: { type: 'assignAnswer', params: ({ event: { answer } }) => ({ answer }) },
        },
        'factor.cancelled': 'off',
      },
    },
    confirming: {
      invoke: { id: 'confirm', src: 'confirm', input: { values: { code: '' }, facts: null } },
      on: {
        'form.saved': {
          target: 'showingCodes',
          actions: [
            { type: 'assignAnswer', params: ({ event: { answer } }) => ({ answer }) },
            { type: 'notifyUser', params: { hasTotp: true } },
          ],
        },
        'factor.cancelled': { target: 'off', actions: 'forgetAnswer' },
      },
    },
    showingCodes: {
      on: {
        'codes.kept': [
          { guard: 'isRequired', target: 'on', actions: ['forgetAnswer', 'notifyAdded'] },
          { target: 'on', actions: 'forgetAnswer' },
        ],
      },
    },
    on: { on: { 'factor.removeRequested': 'removing' } },
    removing: {
      invoke: { id: 'remove', src: 'remove', input: passwordInput },
      on: {
        'form.saved': [
          { guard: 'isOffered', target: 'off', actions: { type: 'notifyUser', params: { hasTotp: false } } },
          { target: 'absent', actions: { type: 'notifyUser', params: { hasTotp: false } } },
        ],
        'factor.cancelled': 'on',
      },
    },
  },
})
