/** Limits of what waits for a slow disk: of a stream (two of the largest segments), and of all streams together. */
const maxBytes = 64 * 1024 * 1024
const maxTotalBytes = 256 * 1024 * 1024
const total = { bytes: 0 }

/** The bytes of one stream that wait to be written. */
export const createBacklog = () => {
  let waitingBytes = 0
  return {
    /** A stream's only waiting segment always fits. */
    hasSpace: (bytes: number): boolean =>
      waitingBytes === 0 || (waitingBytes + bytes <= maxBytes && total.bytes + bytes <= maxTotalBytes),
    /** `bytes` is negative once they are written. */
    add: (bytes: number): void => {
      waitingBytes += bytes
      total.bytes += bytes
    },
  }
}
