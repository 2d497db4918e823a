/** A configuration error; its message is for the operator. `option`: the variable it is about. */
export class UsageError extends Error {
  readonly option: string | undefined
  constructor(message: string, option?: string) {
    super(message)
    this.option = option
  }
}

/** Runs `read`; its error becomes a configuration error. */
export const orUsageError = <Value>(read: () => Value): Value => {
  try {
    return read()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
