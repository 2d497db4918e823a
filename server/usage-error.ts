/** A mistake in options, arguments or files of the operator, who reads the message. `option`: the variable at fault. */
export class UsageError extends Error {
  readonly option: string | undefined
  constructor(message: string, option?: string) {
    super(message)
    this.option = option
  }
}

/** Calls `read` and turns its error into a `UsageError`. */
export const orUsageError = <Value>(read: () => Value): Value => {
  try {
    return read()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
