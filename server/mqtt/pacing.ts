/** Starts calls in their order, at most `limit` at once: the others wait until one of these has called `done`. */
export const createPacing = (limit: number): ((start: (done: () => void) => void) => void) => {
  const waiting: ((done: () => void) => void)[] = []
  let running = 0
  const startWaiting = (): void => {
    while (running < limit) {
      const start = waiting.shift()
      if (start === undefined) return
      running += 1
      start(() => {
        running -= 1
        startWaiting()
      })
    }
  }
  return (start) => {
    waiting.push(start)
    startWaiting()
  }
}
