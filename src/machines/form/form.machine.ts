import { type ActorRefFrom, assign, enqueueActions, fromCallback, fromPromise, sendParent, sendTo, setup } from 'xstate'
import type { ApiError, Reply } from '../../api/reply.ts'
import { leavingRegion } from './leaving-region.ts'
import { notProvided } from '../not-provided.ts'
import { errorToast, raiseToast } from '../notifications/toast.ts'
import { handleFault, handleRefusal } from '../api-errors.ts'
import { type DraftCommand, changedIn, restorableOf } from './draft.ts'
import type { FormContext, FormInput, FormRules } from './form.context.ts'
import type { FormEvent, FormRefused, FormReport } from './form.events.ts'
import { isDirty, editedSince } from './form-values.ts'
import { areAllShown, errorsBeside, fieldErrors, isShownByForm, remainingErrors } from './refused-fields.ts'

const heldAnew = { target: '#form.leaving.held', reenter: true } as const

/** Raised by the form to itself after saving. */
interface SaveSettled<Values, Answer> {
  type: 'save.settled'
  answer: Answer
  values: Values
}

/**
 * Every form of the console: edit, submit, show success or errors. Errors of `validate` and ValidationErrors appear
 * beside the fields; other errors appear in a toast, and beside a field too if they concern one. No input is lost. The
 * parent is notified of success and of refusals. In parallel the form watches for unsaved changes and asks before
 * leaving the page would lose them (`watchLeaving`), and stores the draft, which is restored for the same user after a
 * new sign-in (`storeDraft`).
 */
export function formMachineOf<Values extends object, Answer, Facts = null>({
  fieldOfCode = {},
  validate = () => ({}),
  afterSave = () => ({}),
  draft,
  fromDraft = restorableOf,
}: FormRules<Values, Answer, Facts> = {}) {
  const errorsIn = ({ values, saved, facts }: FormContext<Values, Facts>) => validate(values, saved, facts)
  return setup({
    types: {
      context: {} as FormContext<Values, Facts>,
      events: {} as FormEvent<Values> | SaveSettled<Values, Answer>,
      input: {} as FormInput<Values, Facts>,
    },
    actors: {
      submit: fromPromise<Reply<Answer>, { values: Values; saved: Values }>(notProvided),
      /** Blocks leaving the page until `leave.granted`. */
      watchLeaving: fromCallback<{ type: 'leave.granted' }>(() => undefined),
      storeDraft: fromCallback<DraftCommand>(() => undefined),
    },
    actions: {
      notifySaved: sendParent(
        (_args, { answer, values }: { answer: Answer; values: Values }): FormReport<Values, Answer> => ({
          type: 'form.saved',
          answer,
          values,
        }),
      ),
      handleApiError: enqueueActions(({ context, enqueue, system }, { apiError }: { apiError: ApiError }) => {
        const errors = fieldErrors(apiError, { fieldOfCode, values: context.values })
        enqueue.assign({ errors, failures: context.failures + 1 })
        enqueue.sendParent({ type: 'form.refused', code: apiError.code } satisfies FormRefused)
        if (!(isShownByForm(apiError) && areAllShown(errors, context.values)))
          raiseToast({ enqueue, system }, errorToast(apiError))
      }),
      edit: assign(({ context, event }) => {
        if (event.type !== 'form.edited') return {}
        const values = { ...context.values, ...event.values }
        const errors = errorsBeside(event.values, context.errors)
        return { values, errors: remainingErrors(errors, errorsIn(context), errorsIn({ ...context, values })) }
      }),
      rebase: assign(({ context: { values, saved, errors }, event }) =>
        event.type === 'form.rebased'
          ? {
              values: { ...values, ...event.values },
              saved: { ...saved, ...event.values },
              errors: errorsBeside(event.values, errors),
            }
          : {},
      ),
      reset: assign(({ event }) =>
        event.type === 'form.reset' ? { values: event.values, saved: event.values, errors: {}, isRestored: false } : {},
      ),
      restore: assign(({ context, event }) =>
        event.type === 'draft.found'
          ? { values: { ...context.values, ...fromDraft(event.values, context.saved) }, isRestored: true }
          : {},
      ),
      storeDraft: sendTo('storeDraft', ({ context: { values, saved, facts } }): DraftCommand => ({
        type: 'draft.changed',
        values: draft === undefined ? {} : draft(changedIn(values, saved), facts, saved),
      })),
      grantLeave: sendTo('watchLeaving', { type: 'leave.granted' }),
      dropDraft: sendTo('storeDraft', { type: 'draft.changed', values: {} }),
      assignSubmitted: assign(({ context }) => ({ submitted: context.values, errors: {} })),
      settle: enqueueActions(
        ({ context: { values, saved: before, submitted, facts }, enqueue }, { reply }: { reply: Reply<Answer> }) => {
          if (!reply.ok) return
          const saved = { ...submitted, ...afterSave(reply.value, before, facts) }
          enqueue.assign({
            saved,
            values: { ...saved, ...editedSince(submitted, values) },
            errors: {},
            isRestored: false,
          })
          enqueue.raise({ type: 'save.settled', answer: reply.value, values: submitted })
        },
      ),
      showErrors: assign(({ context }) => ({ errors: errorsIn(context), failures: context.failures + 1 })),
    },
    guards: {
      isValid: ({ context }) => Object.keys(errorsIn(context)).length === 0,
      isOk: (_, { reply }: { reply: Reply<unknown> }) => reply.ok,
      isDirty: ({ context }) => isDirty(context),
      isClean: ({ context }) => !isDirty(context),
      hasDraft: (_args) => draft !== undefined,
    },
    delays: {
      /** How long the form shows that it was saved. */
      savedFlag: 300,
    },
  }).createMachine({
    id: 'form',
    type: 'parallel',
    context: ({ input }) => ({
      values: input.values,
      saved: input.values,
      submitted: input.values,
      errors: {},
      failures: 0,
      isRestored: false,
      facts: input.facts,
    }),
    states: {
      work: {
        initial: 'editing',
        on: { 'form.reset': { target: '.editing', actions: 'reset' }, 'form.rebased': { actions: 'rebase' } },
        states: {
          editing: {
            on: {
              'form.edited': { actions: 'edit' },
              'form.submitted': [
                { guard: 'isValid', target: 'submitting', actions: 'assignSubmitted' },
                { actions: 'showErrors' },
              ],
            },
          },
          submitting: {
            tags: 'busy',
            on: { 'form.edited': { actions: 'edit' }, 'form.cancelled': 'editing' },
            invoke: {
              id: 'submit',
              src: 'submit',
              input: ({ context }) => ({ values: context.submitted, saved: context.saved }),
              onDone: [
                {
                  guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
                  target: 'saved',
                  actions: { type: 'settle', params: ({ event }) => ({ reply: event.output }) },
                },
                { target: 'editing', actions: handleRefusal },
              ],
              onError: { target: 'editing', actions: handleFault },
            },
          },
          saved: {
            tags: 'busy',
            after: { savedFlag: 'editing' },
            on: {
              'form.edited': { target: 'editing', actions: 'edit' },
              // Raised after saving: `leaving` is free by now, so the parent may navigate.
              'save.settled': {
                actions: { type: 'notifySaved', params: ({ event: { answer, values } }) => ({ answer, values }) },
              },
            },
          },
        },
      },
      leaving: leavingRegion('isDirty', 'isClean', { 'leave.cancelled': heldAnew, 'form.edited': heldAnew }),
      draft: {
        initial: 'deciding',
        states: {
          deciding: { always: [{ guard: 'hasDraft', target: 'storing' }, { target: 'off' }] },
          off: {},
          storing: {
            invoke: { id: 'storeDraft', src: 'storeDraft' },
            on: {
              'draft.found': { actions: 'restore' },
              'form.edited': { actions: 'storeDraft' },
              'form.reset': { actions: 'storeDraft' },
              'save.settled': { actions: 'storeDraft' },
              'leave.confirmed': { actions: 'dropDraft' },
              'leave.cancelled': { actions: 'storeDraft' },
            },
          },
        },
      },
    },
  })
}

export type FormRef<Values extends object, Answer, Facts> = ActorRefFrom<
  ReturnType<typeof formMachineOf<Values, Answer, Facts>>
>
