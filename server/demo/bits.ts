/** Writes a bit string. `append` copies `length` bits of `source` from bit `from` on. */
export type BitWriter = {
  bits: (value: number, count: number) => void
  ue: (value: number) => void
  se: (value: number) => void
  append: (source: Uint8Array, from: number, length: number) => void
  bytes: () => Uint8Array
}

export const writeBits = (capacity: number): BitWriter => {
  const out = new Uint8Array(capacity)
  let at = 0
  const bits = (value: number, count: number): void => {
    for (let index = count - 1; index >= 0; index -= 1) {
      if (Math.floor(value / 2 ** index) % 2 === 1) out[at >> 3] = (out[at >> 3] ?? 0) | (0x80 >> (at & 7))
      at += 1
    }
  }
  const ue = (value: number): void => {
    const length = Math.floor(Math.log2(value + 1))
    bits(0, length)
    bits(value + 1, length + 1)
  }
  return {
    bits,
    ue,
    se: (value) => ue(value > 0 ? value * 2 - 1 : -value * 2),
    append: (source, from, length) => {
      let left = length
      let read = from
      while (left > 0) {
        const take = Math.min(8 - (at & 7), 8 - (read & 7), left)
        const piece = (((source[read >> 3] ?? 0) << (read & 7)) & 0xff) >> (8 - take)
        out[at >> 3] = (out[at >> 3] ?? 0) | (piece << (8 - (at & 7) - take))
        at += take
        read += take
        left -= take
      }
    },
    bytes: () => out.subarray(0, (at + 7) >> 3),
  }
}
