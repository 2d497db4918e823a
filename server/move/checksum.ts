import { hash } from 'node:crypto'

const modulus = 2n ** 128n

/** The sum of the first half of the SHA-256 of each part, in whatever order the parts come. */
export const createChecksum = () => {
  let total = 0n
  return {
    add: (part: string | Uint8Array): void => {
      total = (total + BigInt(`0x${hash('sha256', part).slice(0, 32)}`)) % modulus
    },
    text: (): string => total.toString(16).padStart(32, '0'),
  }
}
