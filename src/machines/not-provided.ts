/** What an actor does until main.tsx, or a test, provides the real one. */
export const notProvided = (): Promise<never> => Promise.reject(new Error('not provided'))
