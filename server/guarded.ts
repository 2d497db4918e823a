/** An error in a callback that nobody awaits. `callback` is its name in the log, such as `gateway: answer`. */
export type Fault = { callback: string; error: unknown }

const listeners = new Set<(fault: Fault) => void>()

/** Reports an error that was caught where nobody awaits it. */
export const reportFault = (fault: Fault): void => {
  for (const listener of listeners) {
    try {
      listener(fault)
    } catch {
      // A failing log must not turn a contained fault into a crash.
    }
  }
}

export const onFault = (listener: (fault: Fault) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Wraps a callback of an event, a timer or a library. An error or a rejection goes to `onFault` and then to `end`, and
 * never ends the process.
 */
export const guarded = <Args extends unknown[]>(
  callback: string,
  work: (...args: Args) => unknown,
  end: (error: unknown) => void = () => undefined,
): ((...args: Args) => void) => {
  const contain = (error: unknown): void => {
    reportFault({ callback, error })
    try {
      end(error)
    } catch (second) {
      reportFault({ callback, error: second })
    }
  }
  return (...args) => {
    try {
      const result = work(...args)
      if (result instanceof Promise) result.catch(contain)
    } catch (error) {
      contain(error)
    }
  }
}
