import { expect, test } from 'vitest'
import { fuzzSources } from '../../../scripts/fuzz/sources.ts'

test('no hostile source ends the server, nor leads ffmpeg past the gateway (npm run fuzz makes ten thousand)', async () => {
  const { faults, contacts } = await fuzzSources(100, 20_261_123)
  expect({ faults, contacts }).toEqual({ faults: [], contacts: 0 })
}, 180_000)
