/** A date has whole seconds. */
const dateStepMs = 1000
/** A difference up to this isn't corrected: moments don't jump back and forth. */
const toleranceMs = 2000

/** How far the server's clock is ahead of this browser's, as its answers show. */
const estimate = { aheadMs: 0 }

/**
 * Notes the header `date` of an answer of our server, which was written between the request and the answer. `sentAt`
 * and `receivedAt` are moments of the browser's clock. An answer that fits the estimate doesn't change it.
 */
export function noteServerDate(headers: Pick<Headers, 'get'>, sentAt: number, receivedAt: number): void {
  const date = Date.parse(headers.get('date') ?? '')
  // An answer from a cache is older than its request.
  if (Number.isNaN(date) || headers.get('age') !== null) return
  const [least, most] = [date - receivedAt, date + dateStepMs - sentAt]
  if (estimate.aheadMs < least - toleranceMs || estimate.aheadMs > most + toleranceMs)
    estimate.aheadMs = Math.round((least + most) / 2)
}

/** Now by the server's clock; by the browser's, while the server's isn't known or differs little. */
export const serverNow = (): number => Date.now() + estimate.aheadMs
