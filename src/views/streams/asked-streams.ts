import type { Stream } from '../../api/contract/stream.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { displayName } from './stream-words.tsx'

export interface StreamsQuestionProps {
  streams: readonly Stream[]
  onConfirm: () => void
  onCancel: () => void
}

/** What a question about streams says of them: the name of the only one, or how many there are. */
export function askedStreams(streams: readonly Stream[]) {
  const [first] = streams
  return {
    isOne: streams.length === 1,
    name: first === undefined ? '' : displayName(first),
    count: formatNumber(streams.length),
  }
}
