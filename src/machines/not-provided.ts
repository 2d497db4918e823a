/** The default of every actor, until the wiring or a test provides the real one. */
export const notProvided = (): Promise<never> => Promise.reject(new Error('not provided'))
