import { placeIn, withConfiguration } from '../options.ts'
import { UsageError } from '../usage-error.ts'

type Values = { config?: string | undefined; 'data-dir'?: string | undefined }

/** `variables`: what the file and the environment give. */
export type Place = ReturnType<typeof placeIn> & { variables: NodeJS.ProcessEnv }

/** Where the data of a server lies, as `start` with the same options has it. */
export const placeOf = (values: Values, env: NodeJS.ProcessEnv): Place =>
  withConfiguration(values.config, env, (whole) => ({ ...placeIn(values['data-dir'], whole), variables: whole }))

/** The same for commands that copy the file of the database. */
export const placeOfFile = (values: Values, env: NodeJS.ProcessEnv): Place => {
  const place = placeOf(values, env)
  if (place.databaseUrl === undefined) return place
  throw new UsageError('DATABASE_URL names a PostgreSQL: copy that with pg_dump, and server.key of the data folder')
}
