import { useEffect, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { useDuration } from '../ui/use-duration.ts'

const readEveryMs = 1000
/** What a live picture may be behind without a word about it, seconds. */
const usual = 5

/** How far the live picture on the screen is behind now, in words, where that is more than it usually is; else null. */
export function useDelay(clock: () => number | null, isLive: boolean): string | null {
  const { t } = useLingui()
  const [delay, setDelay] = useState(0)
  useEffect(() => {
    const read = () => {
      const at = isLive ? clock() : null
      const seconds = at === null ? 0 : (Date.now() - at) / 1000
      setDelay(seconds > usual ? Math.floor(seconds) : 0)
    }
    read()
    const timer = setInterval(read, readEveryMs)
    return () => clearInterval(timer)
  }, [clock, isLive])
  const length = useDuration(delay)
  return delay === 0 ? null : t`${length} behind`
}
