import { Plural, Trans } from '@lingui/react/macro'
import { formatBytes } from '../../i18n/bytes.ts'
import { bytesOf, type RangeFacts } from '../../machines/player/range-facts.ts'
import { useDuration } from '../ui/use-duration.ts'

/** The gaps in a recorded range, and about how large its file is. `bitrate`: bits per second; null if unknown. */
export function RecordedFacts({ facts, bitrate }: { facts: RangeFacts; bitrate: number | null }) {
  const missing = useDuration(facts.gapMs / 1000)
  const bytes = bytesOf(facts, bitrate)
  const size = formatBytes(bytes ?? 0)
  return (
    <>
      <span data-missing={facts.gaps > 0 || undefined}>
        {facts.gaps === 0 ? (
          <Trans>no gaps</Trans>
        ) : (
          <Plural value={facts.gaps} one={`# gap, ${missing}`} other={`# gaps, ${missing}`} />
        )}
      </span>
      {bytes !== null && (
        <span>
          <Trans>about {size}</Trans>
        </span>
      )}
    </>
  )
}
