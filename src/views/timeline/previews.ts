/** Pictures of moments, by a key; the newest wanted one is asked for, after a pause, and any older request is dropped. */
export type Previews = {
  /** The address of the picture if it is at hand; otherwise it is asked for and `onLoaded` told. */
  want(at: number, key: number): string | null
  rest(): void
  stop(): void
}

const pause = 150
const mostKept = 60

export function createPreviews(
  load: (at: number, signal: AbortSignal) => Promise<Blob | null>,
  onLoaded: (key: number, address: string | null) => void,
): Previews {
  const kept = new Map<number, string | null>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let request: AbortController | null = null
  let wanted: number | null = null

  function rest(): void {
    clearTimeout(timer)
    request?.abort()
    request = null
    wanted = null
  }

  function keep(key: number, address: string | null): void {
    kept.set(key, address)
    for (const [oldest, old] of kept) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
      if (old !== null) URL.revokeObjectURL(old)
    }
    onLoaded(key, address)
  }

  return {
    want(at, key) {
      const address = kept.get(key)
      if (address !== undefined) {
        kept.delete(key)
        kept.set(key, address)
        rest()
        return address
      }
      if (wanted === key) return null
      rest()
      wanted = key
      timer = setTimeout(() => {
        const controller = new AbortController()
        request = controller
        load(at, controller.signal).then(
          (blob) => !controller.signal.aborted && keep(key, blob === null ? null : URL.createObjectURL(blob)),
          () => undefined,
        )
      }, pause)
      return null
    },
    rest,
    stop() {
      rest()
      for (const address of kept.values()) if (address !== null) URL.revokeObjectURL(address)
      kept.clear()
    },
  }
}
