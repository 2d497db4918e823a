/** Runs one work after the other, in the order of the calls. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export const createTurns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
