import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that wait for real time more than they compute, the longest first: what computes runs beside them. */
const waiting = [
  'low-latency',
  'ingest-host',
  'ingest-workers',
  'probing',
  'recording',
  'crash',
  'engine-limits',
  'secrets',
  'streams',
  'live-playlist',
]

/** A fresh clone has no times of an earlier run, by which vitest sorts. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = waiting.findIndex((name) => moduleId.endsWith(`/tests/server/${name}.test.ts`))
      return found === -1 ? waiting.length : found
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
