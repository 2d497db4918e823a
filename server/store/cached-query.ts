import type * as z from 'zod/mini'
import { monotonicNow } from '../monotonic.ts'
import type { Value } from './connection.ts'
import { isLastAnswer } from './last-answers.ts'
import type { Store } from './store.ts'

const maxRows = 5000
const maxLists = 500

const keyPartOf = (value: Value): string =>
  value instanceof Uint8Array ? `x${Buffer.from(value).toString('hex')}` : `${typeof value} ${value}`

/** `at`: when the database answered, by the monotonic clock. */
type Answered<Answer> = { answer: Answer; version: number; at: number }

/** Caches at most `max` answers; `undefined` isn't cached. */
const createAnswers = <Answer>(store: Store, max: number) => {
  const answers = new Map<string, Answered<Answer>>()
  return async (sql: string, values: readonly Value[], ask: () => Promise<Answer>): Promise<Answer> => {
    const version = await store.versionOf(sql)
    if (version === undefined) return ask()
    const key = [sql, ...values.map(keyPartOf)].join('\n')
    const known = answers.get(key)
    if (known?.version === version && store.checkOutsideWrites !== undefined) return known.answer
    let answer
    try {
      answer = await ask()
    } catch (error) {
      if (known !== undefined && isLastAnswer(error, known.at) && (await store.versionOf(sql)) === known.version)
        return known.answer
      throw error
    }
    answers.delete(key)
    if (answer === undefined || (await store.versionOf(sql)) !== version) return answer
    const [oldest] = answers.keys()
    if (answers.size >= max && oldest !== undefined) answers.delete(oldest)
    answers.set(key, { answer, version, at: monotonicNow() })
    return answer
  }
}

/**
 * A query made with every HTTP request. Its row is cached until a write may change it, so that each call sees earlier
 * writes. Within a transaction nothing is cached. Where other servers may write, the database is asked each time, and
 * the cached row counts only while it is away (`withLastAnswers`).
 */
export const cachedQuery = <Row extends z.ZodMiniType>(store: Store, row: Row, sql: string) => {
  // Missing rows aren't cached: callers can ask for any number of them.
  const answers = createAnswers<z.output<Row> | undefined>(store, maxRows)
  return {
    get: (...values: Value[]): Promise<z.output<Row> | undefined> =>
      answers(sql, values, () => store.get(row, sql, ...values)),
  }
}

/** The same for lists of rows, by statements that differ in the number of their values. */
export const cachedLists = <Row extends z.ZodMiniType>(store: Store, row: Row) => {
  const answers = createAnswers<z.output<Row>[]>(store, maxLists)
  return {
    all: (sql: string, ...values: Value[]): Promise<z.output<Row>[]> =>
      answers(sql, values, () => store.all(row, sql, ...values)),
  }
}
