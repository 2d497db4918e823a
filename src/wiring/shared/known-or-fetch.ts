import { fromPromise, type NonReducibleUnknown, type PromiseActorLogic } from 'xstate'
import { notProvided } from '../../machines/not-provided.ts'

/** An actor that is done at once with a `known` answer, so that no view shows a loading state; else it fetches. */
export function knownOrFetch<Output, Input extends NonReducibleUnknown>(
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
