import { dataOptionsIn, withConfiguration } from '../options.ts'

type Values = { config?: string | undefined; 'data-dir'?: string | undefined }

/** `variables`: those of the configuration file and of the environment. */
export type DataOptions = ReturnType<typeof dataOptionsIn> & { variables: NodeJS.ProcessEnv }

/** Where a server that `start` runs with the same options keeps its data, and its defaults of settings. */
export const dataOptionsOf = (values: Values, env: NodeJS.ProcessEnv): DataOptions =>
  withConfiguration(values.config, env, (variables) => ({ ...dataOptionsIn(values['data-dir'], variables), variables }))
