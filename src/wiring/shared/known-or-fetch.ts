import { fromPromise, type NonReducibleUnknown, type PromiseActorLogic } from 'xstate'
import { notProvided } from '../../machines/not-provided.ts'

/**
 * An actor that is done at once if the output is `known`, so that no view shows a loading state; else it fetches the
 * output.
 */
export function knownOrFetch<Output, Input extends NonReducibleUnknown>(
  known: (input: Input) => Output | undefined,
  fetch: (input: Input) => Promise<Output> = notProvided,
): PromiseActorLogic<Output, Input> {
  const logic = fromPromise<Output, Input>(({ input }) => fetch(input))
  return {
    ...logic,
    getInitialSnapshot(scope, input) {
      const pending = logic.getInitialSnapshot(scope, input)
      const output = known(input)
      return output === undefined ? pending : { ...pending, status: 'done', output, error: undefined }
    },
  }
}
