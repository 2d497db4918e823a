import { hash } from 'node:crypto'

const modulus = 2n ** 128n

/** A checksum of parts in any order: the sum, modulo 2^128, of the first halves of their SHA-256. */
export const createChecksum = () => {
  let total = 0n
  return {
    add: (part: string | Uint8Array): void => {
      total = (total + BigInt(`0x${hash('sha256', part).slice(0, 32)}`)) % modulus
    },
    text: (): string => total.toString(16).padStart(32, '0'),
  }
}
