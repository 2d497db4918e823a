/** An error of whoever configured the server; its message is for the operator. `option`: the variable it is about. */
export class UsageError extends Error {
  readonly option: string | undefined
  constructor(message: string, option?: string) {
    super(message)
    this.option = option
  }
}
