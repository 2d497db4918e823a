import { apiErrorCodes } from '../../src/api/contract/api-error.ts'

/** Signs of internals in a text: stacks, modules, system errors, SQL. */
const inside =
  /\bat (?:async )?[\w.<>$]+ \(|node_modules|node:internal|\.ts:\d+|ERR_[A-Z]{3}|ZodError|TypeError|\[object /
const insideOfSystem = /SQLITE|SELECT |no such (?:table|column)|ENOENT|EACCES|EISDIR/
const members = new Set(['code', 'message', 'details'])
const codes = new Set<string>(['', ...apiErrorCodes])

export const leaksInternals = (body: string): boolean => inside.test(body) || insideOfSystem.test(body)

/** Whether a body is an error of the contract. */
export const isApiError = (body: string): boolean => {
  try {
    const parsed: unknown = JSON.parse(body)
    return (
      typeof parsed === 'object' &&
      parsed !== null &&
      'code' in parsed &&
      codes.has(String(parsed.code)) &&
      Object.keys(parsed).every((name) => members.has(name))
    )
  } catch {
    return false
  }
}
