import { dataOptionsIn, withConfiguration } from '../options.ts'

type Values = { config?: string | undefined; 'data-dir'?: string | undefined }

/** `variables`: what the file and the environment give. */
export type DataOptions = ReturnType<typeof dataOptionsIn> & { variables: NodeJS.ProcessEnv }

/** Where the data of a server lies, as `start` with the same options has it. */
export const dataOptionsOf = (values: Values, env: NodeJS.ProcessEnv): DataOptions =>
  withConfiguration(values.config, env, (whole) => ({ ...dataOptionsIn(values['data-dir'], whole), variables: whole }))
