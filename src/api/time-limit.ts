/**
 * Does `work` with a signal that aborts after `timeoutMs`, or when one of `signals` does; without `timeoutMs` there is
 * no limit. Not AbortSignal.timeout, whose clock isn't that of the page: a browser test can't set it.
 */
export async function withTimeLimit<T>(
  timeoutMs: number | undefined,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController()
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => timeout.abort(), timeoutMs)
  try {
    return await work(AbortSignal.any([timeout.signal, ...signals]))
  } finally {
    clearTimeout(timer)
  }
}
