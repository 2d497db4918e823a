/** The polynomial of CRC-32 (RFC 1952 §8). Bits are reflected: the highest one is the coefficient of x⁰. */
const polynomial = 0xedb88320
const one = 0x80000000

/** The product of two polynomials, modulo that one. */
const product = (a: number, b: number): number => {
  let [sum, shifted] = [0, b]
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial
  }
  return sum
}

/** x to the power of 8 × `bytes`. */
const shiftBy = (bytes: number): number => {
  let [power, square] = [one, one >>> 8]
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = product(power, square)
    square = product(square, square)
  }
  return power
}

/** The CRC-32 of `first` followed by `second`, from their own (as zlib's `crc32_combine`). `bytes`: of `second`. */
export const joinedChecksum = (first: number, second: number, bytes: number): number =>
  (product(shiftBy(bytes), first) ^ second) >>> 0
