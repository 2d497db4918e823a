import type { BandWords } from '../../src/views/timeline/band-loop.ts'
import { localTimeOf } from '../../src/views/timeline/local-time.ts'

const nothing = () => ''

/** Empty texts in UTC, for tests of what a timeline draws. */
export const noWords: BandWords = {
  time: localTimeOf('UTC'),
  labelText: nothing,
  dateText: nothing,
  momentText: nothing,
  describe: nothing,
}
