import type { BandWords } from '../../src/views/timeline/band-loop.ts'
import { localTimeOf } from '../../src/views/timeline/local-time.ts'

const text = (at: number) => new Date(at).toISOString()

/** Every time in UTC, as it is on the wire. */
export const bandWords: BandWords = {
  time: localTimeOf('UTC'),
  labelText: () => '',
  dateText: text,
  momentText: text,
  describe: (_, at) => text(at),
}
