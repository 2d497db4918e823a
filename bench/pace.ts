const rounds = 3
const turns = 300_000_000

/**
 * The milliseconds of a fixed loop, the median of three. A virtual machine may run at half its speed while its host is
 * busy, which its load average doesn't show: figures are comparable only at a similar pace.
 */
export function paceOf(): number {
  const taken = Array.from({ length: rounds }, () => {
    const began = performance.now()
    let sum = 0
    for (let turn = 0; turn < turns; turn += 1) sum = (sum + (turn % 7)) | 0
    return sum < 0 ? Number.NaN : performance.now() - began
  })
  return Math.round(taken.toSorted((one, other) => one - other)[1] ?? Number.NaN)
}
