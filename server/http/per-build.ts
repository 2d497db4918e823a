import { statSync } from 'node:fs'

/** What `read` makes of a build, read again whenever `file` of it is written; undefined while there is no such file. */
export function perBuild<Value>(file: string, read: () => Value): () => Value | undefined {
  let builtMs: number | undefined
  let value: Value | undefined
  return () => {
    const writtenMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (writtenMs !== builtMs) value = writtenMs === undefined ? undefined : read()
    builtMs = writtenMs
    return value
  }
}
