import { useLingui } from '@lingui/react/macro'
import type { Stream } from '../../api/contract/stream.ts'
import type { MediaFailure } from '../../api/media/engine/failure.ts'
import { apiErrorText } from '../../i18n/errors.ts'
import { useReason } from '../stream-pages/reasons.ts'

interface Loss {
  readonly mode: 'live' | 'archive'
  readonly stream: Pick<Stream, 'status' | 'failureReason'> | null | undefined
  readonly failure: MediaFailure | 'notTranscoded' | null
}

export const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

/**
 * Why there is no picture: in live, the server's reason for the stream, or else the error of the player. A recording
 * doesn't depend on the camera.
 */
export function useLossReason(): (loss: Loss) => string {
  const { t, i18n } = useLingui()
  const reasonOf = useReason()
  return ({ mode, stream, failure }) => {
    if (mode === 'live' && stream?.status === 'failed' && stream.failureReason !== '')
      return reasonOf(stream.failureReason)
    switch (failure) {
      case 'network':
        return sentence(i18n._(apiErrorText('NoResponse').message))
      case 'busy':
        return t`The server is busy.`
      case 'notTranscoded':
        return t`Too many streams are being transcoded now.`
      case 'server':
        return sentence(i18n._(apiErrorText('InternalServerError').message))
      case 'missing':
      case 'empty':
        return mode === 'live' ? t`There is no video yet.` : t`There are no recordings in this period.`
      case 'expired':
        return t`Your session has ended.`
      case 'unreadable':
        return t`The received video is damaged.`
      default:
        return t`The video stopped arriving.`
    }
  }
}
