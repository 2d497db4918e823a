import { useLingui } from '@lingui/react/macro'
import type { Stream } from '../../api/contract/stream.ts'
import type { MediaFailure } from '../../api/media/engine/failure.ts'
import { useReason } from '../stream-pages/words.ts'

/** Why there is no picture: the server's reason, else what was observed here. */
export function useLossReason(): (
  stream: Pick<Stream, 'status' | 'failureReason'> | null | undefined,
  failure: MediaFailure | 'unconverted' | null,
) => string {
  const { t } = useLingui()
  const reasonOf = useReason()
  return (stream, failure) => {
    if (stream?.status === 'failed' && stream.failureReason !== '') return reasonOf(stream.failureReason)
    switch (failure) {
      case 'network':
        return t`The server doesn't answer.`
      case 'busy':
        return t`The server is busy.`
      case 'unconverted':
        return t`Too many pictures are being converted right now.`
      case 'server':
        return t`The server has an error.`
      case 'missing':
      case 'empty':
        return t`There is no video yet.`
      case 'expired':
        return t`Your session is over.`
      case 'unreadable':
        return t`The video that came is broken.`
      default:
        return t`The video stopped coming.`
    }
  }
}
