/** Keeps the screen on where the browser can (HTTPS only); requested again when the page is shown again. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null
  let isHeld = true
  const take = () => {
    if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return
    void request()
  }
  const request = async () => {
    try {
      const taken = await navigator.wakeLock.request('screen')
      if (isHeld) lock = taken
      else await taken.release()
    } catch {
      lock = null
    }
  }
  document.addEventListener('visibilitychange', take)
  take()
  return () => {
    isHeld = false
    document.removeEventListener('visibilitychange', take)
    void lock?.release()
  }
}
