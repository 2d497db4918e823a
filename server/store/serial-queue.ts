/** Runs asynchronous work one after the other, in the order of the calls. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>

/** Runs `work` one time after the other. Calls share the run that has not begun yet. */
export const createRepeated = (work: () => Promise<void>): (() => Promise<void>) => {
  const turns = createSerialQueue()
  let next: Promise<void> | undefined
  return () =>
    (next ??= turns(() => {
      next = undefined
      return work()
    }))
}

export const createSerialQueue = (): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
