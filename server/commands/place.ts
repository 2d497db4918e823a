import { placeIn, withConfiguration } from '../options.ts'

type Values = { config?: string | undefined; 'data-dir'?: string | undefined }

/** `variables`: what the file and the environment give. */
export type Place = ReturnType<typeof placeIn> & { variables: NodeJS.ProcessEnv }

/** Where the data of a server lies, as `start` with the same options has it. */
export const placeOf = (values: Values, env: NodeJS.ProcessEnv): Place =>
  withConfiguration(values.config, env, (whole) => ({ ...placeIn(values['data-dir'], whole), variables: whole }))
