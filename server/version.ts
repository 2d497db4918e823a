import product from '../package.json' with { type: 'json' }

/** Of this server and its console, as package.json has it. */
export const { version } = product
