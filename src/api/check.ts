import * as z from 'zod/mini'
import { type Reply, noResponse } from './reply.ts'

/** A ValidationError with a code for each invalid field in `details`; null if the body is valid. */
export function validationError(schema: z.ZodMiniType, body: unknown): Extract<Reply<never>, { ok: false }> | null {
  const result = z.safeParse(schema, body)
  if (result.success) return null
  const details = Object.fromEntries(
    result.error.issues.toReversed().map((issue) => [issue.path.join('.'), codeOf(issue)]),
  )
  return { ok: false, apiError: { ...noResponse, code: 'ValidationError', details } }
}

function codeOf({ code, path, origin }: { code?: string | undefined; path: PropertyKey[]; origin?: unknown }): string {
  if (path.at(-1) === 'email') return 'invalidEmail'
  if (code === 'invalid_format') return 'invalidLogin'
  if (origin === 'string') return code === 'too_small' ? 'required' : 'tooLong'
  return 'invalidNumber'
}
