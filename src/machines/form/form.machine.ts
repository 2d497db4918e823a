import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { Refusal, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { notificationsOf } from '../notifications/notifications-ref.ts'
import { refusalOf, unknownRefusal } from '../refusals.ts'

/** Wrong fields and what is wrong with each: a code the views have words for, or the server's own words. */
export type FieldErrors = Readonly<Record<string, string>>

export type FormEvent<Values> =
  | { type: 'form.edited'; values: Partial<Values> }
  | { type: 'form.submitted' }
  | { type: 'form.cancelled' }
  | { type: 'form.reset'; values: Values }

/** What a form tells its parent. */
export type FormReport<Values, Answer> =
  | { type: 'form.saved'; answer: Answer; values: Values }
  | { type: 'form.refused'; code: string }

export interface FormContext<Values> {
  values: Values
  /** What the values were when they were last saved. */
  saved: Values
  errors: FieldErrors
  /** Counts the refusals, so that a view can move the focus to the first wrong field. */
  refusals: number
}

export interface FormInput<Values> {
  values: Values
  /** Codes that belong beside a field and not in a toast. */
  fieldOfCode?: Readonly<Record<string, string>>
}

/**
 * Every form of the console: one edits, submits, and is told it is saved or what is wrong. A ValidationError lands
 * beside its fields, any other refusal in a toast, and nothing typed is lost by either. The parent learns of both.
 */
export function formMachineOf<Values extends object, Answer>() {
  return setup({
    types: {
      context: {} as FormContext<Values> & { fieldOfCode: Readonly<Record<string, string>> },
      events: {} as FormEvent<Values>,
      input: {} as FormInput<Values>,
    },
    actors: { submit: fromPromise<Reply<Answer>, { values: Values; saved: Values }>(notProvided) },
    actions: {
      tellSaved: sendParent((_args, { reply, values }: { reply: Reply<Answer>; values: Values }): FormReport<Values, Answer> =>
        reply.ok ? { type: 'form.saved', answer: reply.value, values } : { type: 'form.refused', code: reply.refusal.code },
      ),
      takeRefusal: enqueueActions(({ context, enqueue, system }, { refusal }: { refusal: Refusal }) => {
        const errors = fieldErrors(refusal, context.fieldOfCode)
        enqueue.assign({ errors, refusals: context.refusals + 1 })
        enqueue.sendParent({ type: 'form.refused', code: refusal.code })
        const notifications = notificationsOf(system)
        if (Object.keys(errors).length === 0 && notifications) {
          enqueue.sendTo(notifications, { type: 'notification.raised', tone: 'error', code: refusal.code })
        }
      }),
      edit: assign(({ context, event }) => {
        if (event.type !== 'form.edited') return {}
        const errors = Object.entries(context.errors).filter(([field]) => !Object.hasOwn(event.values, field))
        return { values: { ...context.values, ...event.values }, errors: Object.fromEntries(errors) }
      }),
    },
    delays: { savedFlag: 300 },
  }).createMachine({
    id: 'form',
    context: ({ input }) => ({
      values: input.values,
      saved: input.values,
      errors: {},
      refusals: 0,
      fieldOfCode: input.fieldOfCode ?? {},
    }),
    initial: 'editing',
    on: { 'form.reset': { target: '.editing', actions: assign(({ event }) => ({ values: event.values, saved: event.values, errors: {} })) } },
    states: {
      editing: {
        on: { 'form.edited': { actions: 'edit' }, 'form.submitted': 'submitting' },
      },
      submitting: {
        tags: 'busy',
        on: { 'form.cancelled': 'editing' },
        invoke: {
          id: 'submit',
          src: 'submit',
          input: ({ context }) => ({ values: context.values, saved: context.saved }),
          onDone: [
            {
              guard: ({ event }) => event.output.ok,
              target: 'saved',
              actions: [
                assign(({ context }) => ({ saved: context.values, errors: {} })),
                {
                  type: 'tellSaved',
                  params: ({ context, event }) => ({ reply: event.output, values: context.values }),
                },
              ],
            },
            {
              target: 'editing',
              actions: { type: 'takeRefusal', params: ({ event }) => ({ refusal: refusalOf(event.output) }) },
            },
          ],
          onError: { target: 'editing', actions: { type: 'takeRefusal', params: { refusal: unknownRefusal } } },
        },
      },
      saved: {
        tags: 'busy',
        after: { savedFlag: 'editing' },
        on: { 'form.edited': { target: 'editing', actions: 'edit' } },
      },
    },
  })
}

function fieldErrors({ code, details }: Refusal, fieldOfCode: Readonly<Record<string, string>>): FieldErrors {
  const field = fieldOfCode[code]
  if (field !== undefined) return { [field]: code }
  if (code !== 'ValidationError') return {}
  return Object.fromEntries(Object.entries(details).flatMap(([name, message]) => (typeof message === 'string' ? [[name, message]] : [])))
}

/** Whether something typed would be lost by leaving. */
export function isDirty<Values extends object>({ values, saved }: FormContext<Values>): boolean {
  return JSON.stringify(values) !== JSON.stringify(saved)
}
