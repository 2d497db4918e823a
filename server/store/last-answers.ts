import { AsyncLocalStorage } from 'node:async_hooks'
import { minuteMs } from '../durations.ts'
import { monotonicNow } from '../monotonic.ts'

/** How long the last answer of the database to a query counts while the database is away. */
export const lastAnswerMs = 15 * minuteMs

const scopes = new AsyncLocalStorage<true>()

/** Runs `work`, in which cached queries repeat their last answers while the database is away. */
export const withLastAnswers = (work: () => void): void => scopes.run(true, work)

/** Whether an answer of `at` (monotonic clock) may be repeated while the database is away. */
export const isLastAnswer = (at: number): boolean => scopes.getStore() === true && monotonicNow() - at < lastAnswerMs
