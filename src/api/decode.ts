interface Issue {
  message: string
  path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}
type Result<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly Issue[] }

/** A schema of zod, or the reader that a build has instead (scripts/readers-plugin.ts): both Standard Schemas. */
export interface Schema<T> {
  readonly '~standard': { validate(value: unknown): Result<T> | Promise<Result<T>> }
}

/** `problems` say where and why the value doesn't fit. */
type Decoded<T> = { ok: true; value: T } | { ok: false; problems: string[] }

export function decode<T>(schema: Schema<T>, value: unknown): Decoded<T> {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new TypeError('the schema is asynchronous')
  if (result.issues === undefined) return { ok: true, value: result.value }
  const keyOf = (part: PropertyKey | { readonly key: PropertyKey }) =>
    String(typeof part === 'object' ? part.key : part)
  return {
    ok: false,
    problems: result.issues.map(
      ({ path = [], message }) => `at ${path.map(keyOf).join('.') || 'its root'}: ${message}`,
    ),
  }
}

/** Throws if the value doesn't fit. */
export function parse<T>(schema: Schema<T>, value: unknown): T {
  const decoded = decode(schema, value)
  if (!decoded.ok) throw new TypeError(`the value does not fit ${decoded.problems.join(', ')}`)
  return decoded.value
}
