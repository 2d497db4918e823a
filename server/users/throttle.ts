/** Token buckets by key: `capacity` attempts at once, then one more each `refillMs`. */
export type Throttle = {
  /** Takes an attempt; returns undefined, or the seconds until the next one. */
  take: (key: string) => number | undefined
  /** Gives back an attempt that turned out to be legitimate. */
  giveBack: (key: string) => void
}

const maxKeys = 50_000

/** `left`: the attempts that were left at `at`, epoch milliseconds. */
export type Bucket = { left: number; at: number }
type Rate = { capacity: number; refillMs: number }

/** A bucket as it is now. If the clock was set back, refilling starts over, and the caller must store the result. */
export const refilled = (bucket: Bucket | undefined, { capacity, refillMs }: Rate, now: number): Bucket => {
  const before = bucket?.left ?? capacity
  const at = Math.min(bucket?.at ?? now, now)
  const count = Math.floor((now - at) / refillMs)
  const left = Math.min(capacity, before + count)
  return { left, at: left === capacity ? now : at + count * refillMs }
}

/** Seconds until an empty bucket has an attempt again. */
export const secondsUntilNext = ({ at }: Bucket, { refillMs }: Rate, now: number): number =>
  Math.max(1, Math.ceil((at + refillMs - now) / 1000))

export const createThrottle = (capacity: number, refillMs: number, now: () => number): Throttle => {
  const rate = { capacity, refillMs }
  const buckets = new Map<string, Bucket>()

  const store = (key: string, bucket: Bucket): void => {
    buckets.delete(key)
    if (bucket.left < capacity) buckets.set(key, bucket)
    const [oldest] = buckets.keys()
    if (buckets.size > maxKeys && oldest !== undefined) buckets.delete(oldest)
  }
  const current = (key: string): Bucket => {
    const stored = buckets.get(key)
    const bucket = refilled(stored, rate, now())
    if (stored !== undefined && stored.at > bucket.at) store(key, bucket)
    return bucket
  }

  return {
    take: (key) => {
      const { left, at } = current(key)
      if (left === 0) return secondsUntilNext({ left, at }, rate, now())
      store(key, { left: left - 1, at })
      return undefined
    },
    giveBack: (key) => {
      const { left, at } = current(key)
      store(key, { left: Math.min(capacity, left + 1), at })
    },
  }
}
