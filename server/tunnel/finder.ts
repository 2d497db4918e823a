import process from 'node:process'
import { createContext, Script } from 'node:vm'

const limitMs = 500

/** Processor time of this thread, in milliseconds. */
const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Finds the match of an administrator's expression in a line; null if it takes too long, as it may backtrack for ever.
 * `vm` limits elapsed time, which also passes while a busy machine runs other processes: it is tried again until this
 * thread has had the processor for half of the limit.
 */
export const createFinder = (pattern: RegExp, spentMs = threadMs): ((line: string) => string | undefined | null) => {
  const scope = createContext({ pattern, line: '' })
  const script = new Script('pattern.exec(line)?.[0]')
  return (line) => {
    scope['line'] = line
    const startedAt = spentMs()
    do {
      try {
        const found: unknown = script.runInContext(scope, { timeout: limitMs })
        return typeof found === 'string' ? found : undefined
      } catch (error) {
        if (Reflect.get(Object(error), 'code') !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null
      }
    } while (spentMs() - startedAt < limitMs / 2)
    return null
  }
}
