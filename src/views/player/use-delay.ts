import { useEffect, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { useDuration } from '../ui/use-duration.ts'

const readEveryMs = 1000
/** A delay up to this is normal and not shown. */
const usualSeconds = 5

/**
 * The delay of the live picture as a text, if it is unusually long; null otherwise. `serverNow`: the time by the clock
 * that dates the frames.
 */
export function useDelay(clock: () => number | null, serverNow: () => number, isLive: boolean): string | null {
  const { t } = useLingui()
  const [delaySeconds, setDelaySeconds] = useState(0)
  useEffect(() => {
    const read = () => {
      const at = isLive ? clock() : null
      const seconds = at === null ? 0 : (serverNow() - at) / 1000
      setDelaySeconds(seconds > usualSeconds ? Math.floor(seconds) : 0)
    }
    read()
    const timer = setInterval(read, readEveryMs)
    return () => clearInterval(timer)
  }, [clock, serverNow, isLive])
  const length = useDuration(delaySeconds)
  return delaySeconds === 0 ? null : t`${length} behind`
}
