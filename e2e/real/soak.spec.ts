import { expect, test } from 'playwright/test'
import { gauges, type Sample, watchLong } from '../../bench/soak.ts'

const minutes = 3

/**
 * A few minutes of what `npm run soak` does for hours. Nothing comes and goes at the same moment of every round, so
 * that a line through so few samples means little: what leaks is what even the least of the later ones has more of than
 * the most of those before.
 */
test('a mosaic of nine and a busy player hold no more the longer they are watched', async () => {
  test.setTimeout(20 * 60_000)
  const samples: Sample[] = []
  await watchLong(true, minutes, (sample) => samples.push(sample))

  // The first round warms everything up.
  const [, ...warm] = samples
  const half = Math.floor(warm.length / 2)
  expect(half).toBeGreaterThan(0)
  const [earlier, later] = [warm.slice(0, half), warm.slice(half)]
  for (const { name, read, maxRise } of gauges) {
    const all = (some: readonly Sample[]) => some.map(({ held }) => read(held))
    expect
      .soft(Math.min(...all(later)) - Math.max(...all(earlier)), `${name}: ${all(samples).join(', ')}`)
      .toBeLessThanOrEqual(maxRise)
  }
})
