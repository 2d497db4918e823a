import type * as z from 'zod/mini'
import { guarded } from '../guarded.ts'
import { monotonicNow } from '../monotonic.ts'
import { ignoreDiskErrors } from './background-writes.ts'
import { StoreAway, type Value } from './connection.ts'
import { isLastAnswer } from './last-answers.ts'
import type { Store } from './store.ts'

const maxRows = 5000
const maxLists = 500

const keyPartOf = (value: Value): string =>
  value instanceof Uint8Array ? `x${Buffer.from(value).toString('hex')}` : `${typeof value} ${value}`

/** `at`: when the database answered, by the monotonic clock. */
type Answered<Answer> = { answer: Answer; version: number; at: number }

/**
 * Caches at most `max` answers; `undefined` isn't cached. While the database can't be reached, a last answer is given
 * at once, and its question is asked behind it, as each attempt may take seconds. Answers are fresh again as soon as
 * any call has been answered. Only requests that come before it may get a last answer of a database that is back, and
 * not for long: unless a call has failed within the last seconds, the question is asked first.
 */
const createAnswers = <Answer>(store: Store, max: number) => {
  const answers = new Map<string, Answered<Answer>>()
  /** The keys of the questions that are being asked behind their last answers. */
  const asked = new Set<string>()

  const fresh = async (key: string, sql: string, ask: () => Promise<Answer>, version: number): Promise<Answer> => {
    const answer = await ask()
    answers.delete(key)
    if (answer === undefined || (await store.versionOf(sql)) !== version) return answer
    const [oldest] = answers.keys()
    if (answers.size >= max && oldest !== undefined) answers.delete(oldest)
    answers.set(key, { answer, version, at: monotonicNow() })
    return answer
  }

  const askBehind = guarded('store: question', async (key: string, question: () => Promise<Answer>): Promise<void> => {
    if (asked.has(key)) return
    asked.add(key)
    await ignoreDiskErrors(question).finally(() => asked.delete(key))
  })

  return async (sql: string, values: readonly Value[], ask: () => Promise<Answer>): Promise<Answer> => {
    const version = await store.versionOf(sql)
    if (version === undefined) return ask()
    const key = [sql, ...values.map(keyPartOf)].join('\n')
    const question = () => fresh(key, sql, ask, version)
    const known = answers.get(key)
    if (known?.version === version) {
      if (store.checkOutsideWrites !== undefined) return known.answer
      if (store.isUnreachable() && isLastAnswer(known.at)) {
        askBehind(key, question)
        return known.answer
      }
    }
    try {
      return await question()
    } catch (error) {
      // Another call may have found out meanwhile that there is no row any more.
      const last = answers.get(key)
      if (error instanceof StoreAway && last !== undefined && isLastAnswer(last.at)) {
        if ((await store.versionOf(sql)) === last.version) return last.answer
      }
      throw error
    }
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

/** The same for lists of rows, by statements that differ in their placeholders. */
export const cachedLists = <Row extends z.ZodMiniType>(
  store: Store,
  row: Row,
  sqlOf: (placeholders: string) => string,
) => {
  const answers = createAnswers<z.output<Row>[]>(store, maxLists)
  return {
    all: (placeholders: string, ...values: Value[]): Promise<z.output<Row>[]> => {
      const sql = sqlOf(placeholders)
      return answers(sql, values, () => store.all(row, sql, ...values))
    },
  }
}
