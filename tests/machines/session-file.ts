import * as z from 'zod'
import type { Plain } from '../../src/views/dev/record/plain.ts'
import type { Session } from '../../src/views/dev/record/session.ts'

const State: z.ZodType<Session['steps'][number]['states'][string]> = z.lazy(() =>
  z.union([z.string(), z.record(z.string(), State)]),
)
const Json: z.ZodType<Plain> = z.json()

/** A session as the inspector saves it. */
const SessionFile: z.ZodType<Session> = z.object({
  version: z.literal(1),
  machine: z.string(),
  parent: z.nullable(z.object({ machine: z.string(), src: z.string() })),
  input: Json,
  steps: z.array(
    z.object({
      to: z.string(),
      event: z.looseObject({ type: z.string() }).pipe(z.custom<Session['steps'][number]['event']>()),
      states: z.record(z.string(), State),
    }),
  ),
})

export const readSession = (text: string): Session => SessionFile.parse(JSON.parse(text))

/** The same session with another expected state after the last step. */
export function expecting(session: Session, state: string): Session {
  const last = session.steps.at(-1)
  if (last === undefined) return session
  const value = State.parse(/^[{"]/.test(state) ? JSON.parse(state) : state)
  return {
    ...session,
    steps: [...session.steps.slice(0, -1), { ...last, states: { ...last.states, [last.to]: value } }],
  }
}
