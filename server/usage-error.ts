import { codeOf } from './storage/folders.ts'

/** A mistake in options, arguments or files of the operator, who reads the message. `option`: the variable at fault. */
export class UsageError extends Error {
  readonly option: string | undefined
  constructor(message: string, option?: string) {
    super(message)
    this.option = option
  }
}

/** Arguments that a command doesn't take. */
export class WrongArguments extends UsageError {}

/** Why a file that the operator has named can't be read, in words. */
export const whyUnreadable = (file: string, error: unknown): string =>
  codeOf(error) === 'ENOENT' ? `there is no file ${file}` : `${file} can't be read`

/** Calls `read` and turns its error into a `UsageError`. */
export const orUsageError = <Value>(read: () => Value, Kind: typeof UsageError = UsageError): Value => {
  try {
    return read()
  } catch (error) {
    throw new Kind(error instanceof Error ? error.message : String(error))
  }
}
