import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The tests that wait more than they compute, the longest first. */
const waiting = [
  'low-latency',
  'bad-sources',
  'cameras-as-sent',
  'recording',
  'ingest-host',
  'substream',
  'ingest-workers',
  'compatible',
  'camera-passwords',
  'previews',
  'retention',
  'volumes',
  'rtsp-h265',
  'slow-substream',
  'secrets',
  'streams',
  'live-playlist',
]

/**
 * Alternates waiting and computing files, so that neither kind is left for the end. vitest would sort by the times of
 * an earlier run, which a fresh clone doesn't have.
 */
export default class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      waiting.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
    const sorted = await super.sort(files)
    const computing = sorted.filter((file) => rank(file) === -1)
    const waits = sorted.filter((file) => rank(file) !== -1).toSorted((a, b) => rank(a) - rank(b))
    return [
      ...waits.flatMap((file, index) => [file, ...computing.slice(index, index + 1)]),
      ...computing.slice(waits.length),
    ]
  }
}
