/** Limits for bytes that wait for a stuck disk: two of the largest segments per stream, and a total. */
const maxWaiting = 64 * 1024 * 1024
const maxWaitingOfAll = 256 * 1024 * 1024
const waitingOfAll = { bytes: 0 }

/** The bytes of one stream that wait to be written. */
export const createBacklog = () => {
  let waiting = 0
  return {
    /** One segment may always wait. */
    hasSpace: (bytes: number): boolean =>
      waiting === 0 || (waiting + bytes <= maxWaiting && waitingOfAll.bytes + bytes <= maxWaitingOfAll),
    /** `bytes` is negative once they are written. */
    add: (bytes: number): void => {
      waiting += bytes
      waitingOfAll.bytes += bytes
    },
  }
}
