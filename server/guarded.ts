/** What went wrong in a callback that nobody awaits. `place` names the callback, `gateway: answer`. */
export type Fault = { place: string; error: unknown }

const listeners = new Set<(fault: Fault) => void>()

const report = (fault: Fault): void => {
  for (const listener of listeners) {
    try {
      listener(fault)
    } catch {
      // A log that fails must not turn a contained fault into a crash.
    }
  }
}

/** Tells of every contained fault until the returned function is called. */
export const onFault = (listener: (fault: Fault) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * The one way in which the server gives a callback away: to an event, a timer or a stream. What `work` throws, or rejects with,
 * is reported to `onFault` and passed to `end`, which ends the connection or the camera that it belongs to. Nothing of it reaches
 * `uncaughtException` or `unhandledRejection`.
 */
export const guarded = <Args extends unknown[]>(
  place: string,
  work: (...args: Args) => unknown,
  end: (error: unknown) => void = () => undefined,
): ((...args: Args) => void) => {
  const contain = (error: unknown): void => {
    report({ place, error })
    try {
      end(error)
    } catch (second) {
      report({ place, error: second })
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
