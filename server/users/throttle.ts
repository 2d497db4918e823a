import { isIPv6 } from 'node:net'

/** Token buckets by key: `capacity` attempts at once, then one more each `refillMs`. */
export type Throttle = {
  /** Takes an attempt; returns undefined, or the seconds until the next one. */
  take: (key: string) => number | undefined
  /** Returns an attempt that was legitimate. */
  giveBack: (key: string) => void
}

const maxKeys = 50_000

export type Bucket = { left: number; at: number }
type Rate = { capacity: number; refillMs: number }

/** A bucket as it is now. */
export const refilled = (bucket: Bucket | undefined, { capacity, refillMs }: Rate, now: number): Bucket => {
  const { left: before, at } = bucket ?? { left: capacity, at: now }
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
  const current = (key: string): Bucket => refilled(buckets.get(key), rate, now())

  const store = (key: string, bucket: Bucket): void => {
    buckets.delete(key)
    if (bucket.left < capacity) buckets.set(key, bucket)
    const [oldest] = buckets.keys()
    if (buckets.size > maxKeys && oldest !== undefined) buckets.delete(oldest)
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

/** Longer than any address; a proxy may forward any text. */
const maxAddressLength = 100

/** The host of an IP address: an IPv4 address, or the /64 prefix of an IPv6 address. Other text stays as it is. */
export const hostOf = (ip: string): string => {
  if (ip.startsWith('::ffff:')) return ip.slice(7, maxAddressLength)
  if (!isIPv6(ip)) return ip.slice(0, maxAddressLength)
  const [head = '', tail] = ip.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
