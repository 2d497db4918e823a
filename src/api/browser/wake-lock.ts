/**
 * Keeps the screen on until the returned function is called, if the browser can (HTTPS only). Browsers end a wake lock
 * when the page is hidden, so it is requested again when the page is shown.
 */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null
  let isHeld = true
  const requestIfShown = () => {
    if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return
    void request()
  }
  const request = async () => {
    try {
      const granted = await navigator.wakeLock.request('screen')
      if (isHeld) lock = granted
      else await granted.release()
    } catch {
      lock = null
    }
  }
  document.addEventListener('visibilitychange', requestIfShown)
  requestIfShown()
  return () => {
    isHeld = false
    document.removeEventListener('visibilitychange', requestIfShown)
    void lock?.release()
  }
}
