import { refusalCodes } from '../../src/api/contract/refusal.ts'

/** A stack, a module, a system error, a statement: words that only a program's inside has. */
const inside =
  /\bat (?:async )?[\w.<>$]+ \(|node_modules|node:internal|\.ts:\d+|ERR_[A-Z]{3}|ZodError|TypeError|\[object /
const insideOfSystem = /SQLITE|SELECT |no such (?:table|column)|ENOENT|EACCES|EISDIR/
const members = new Set(['code', 'message', 'details'])
const codes = new Set<string>(['', ...refusalCodes])

export const tellsOfInside = (body: string): boolean => inside.test(body) || insideOfSystem.test(body)

/** Whether a body is a refusal as the contract has them. */
export const isRefusal = (body: string): boolean => {
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
