import { statSync } from 'node:fs'

/**
 * What `read` makes of a build, read again whenever `file` of it is written. Undefined while there is no such file, and
 * while `read` finds the build incomplete: it is then called again.
 */
export function perBuild<Value>(file: string, read: () => Value | undefined): () => Value | undefined {
  let builtMs: number | undefined
  let value: Value | undefined
  return () => {
    const writtenMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (writtenMs !== builtMs || value === undefined) value = writtenMs === undefined ? undefined : read()
    builtMs = writtenMs
    return value
  }
}
