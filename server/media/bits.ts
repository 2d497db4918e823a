/**
 * Reads a bit string, most significant bit first, with the Exp-Golomb codes `ue` and `se` (ITU-T H.264 §9.1). Zeros
 * follow its end, so that `at` may exceed its length.
 */
export type BitReader = { bits: (count: number) => number; ue: () => number; se: () => number; at: () => number }

export const readBits = (bytes: Uint8Array): BitReader => {
  let at = 0
  const bit = (): number => {
    const value = ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1
    at += 1
    return value
  }
  const bits = (count: number): number => {
    let value = 0
    for (let index = 0; index < count; index += 1) value = value * 2 + bit()
    return value
  }
  const ue = (): number => {
    let zeros = 0
    while (bit() === 0 && zeros < 32) zeros += 1
    return 2 ** zeros - 1 + bits(zeros)
  }
  return {
    bits,
    ue,
    se: () => {
      const code = ue()
      return code % 2 === 1 ? (code + 1) / 2 : -code / 2
    },
    at: () => at,
  }
}

/** A NAL unit without its emulation prevention bytes (ITU-T H.264 §7.4.1). */
export const withoutEscapes = (nal: Uint8Array): Uint8Array => {
  const out = new Uint8Array(nal.length)
  let length = 0
  let zeros = 0
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    out[length] = byte
    length += 1
  }
  return out.subarray(0, length)
}
