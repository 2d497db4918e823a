import { resolve } from 'node:path'
import type { ConfigurationValues } from '../configuration/values.ts'
import { archiveDirsOf, databaseOf, defaultsOf, given } from '../option-values.ts'
import { withConfiguration } from '../options.ts'
import { UsageError } from '../usage-error.ts'

type Values = { config?: string | undefined; 'data-dir'?: string | undefined }

export type Place = {
  /** What the file and the environment give. */
  variables: NodeJS.ProcessEnv
  dataDir: string
  archiveDirs: readonly string[]
  databaseUrl: string | undefined
  defaults: ConfigurationValues
}

/** Where the data of a server lies, as `start` with the same options would have it. */
export const placeOf = (values: Values, env: NodeJS.ProcessEnv): Place =>
  withConfiguration(values.config, env, (whole) => {
    const dataDir = resolve(values['data-dir'] ?? given(whole['DATA_DIR']) ?? 'data')
    return {
      variables: whole,
      dataDir,
      archiveDirs: archiveDirsOf(given(whole['ARCHIVE_DIRS']), dataDir),
      databaseUrl: databaseOf(given(whole['DATABASE_URL'])),
      defaults: defaultsOf(whole),
    }
  })

/** The same for commands that copy the file of the database. */
export const placeOfFile = (values: Values, env: NodeJS.ProcessEnv): Place => {
  const place = placeOf(values, env)
  if (place.databaseUrl === undefined) return place
  throw new UsageError('DATABASE_URL names a PostgreSQL: copy that with pg_dump, and server.key of the data folder')
}
