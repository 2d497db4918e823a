import { fromPromise, type NonReducibleUnknown, type PromiseActorLogic } from 'xstate'
import { notProvided } from '../../machines/not-provided.ts'

/** A `known` answer comes in the same step, before any view draws what is left by it. */
export function atOnce<Output, Input extends NonReducibleUnknown>(
  known: (input: Input) => Output | undefined,
  ask: (input: Input) => Promise<Output> = notProvided,
): PromiseActorLogic<Output, Input> {
  const logic = fromPromise<Output, Input>(({ input }) => ask(input))
  return {
    ...logic,
    getInitialSnapshot(scope, input) {
      const asking = logic.getInitialSnapshot(scope, input)
      const output = known(input)
      return output === undefined ? asking : { ...asking, status: 'done', output, error: undefined }
    },
  }
}
