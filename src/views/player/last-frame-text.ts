import { useLingui } from '@lingui/react/macro'
import type { BandWords } from '../timeline/band-loop.ts'
import { useWords } from '../timeline/use-words.ts'

/** The time, with the date unless it is today. */
const momentOf = ({ momentText }: BandWords, at: number): string => momentText(at, Date.now())

/** A sentence with the time of the last frame; '' if `at` is null. */
export function useLastFrameText(at: number | null, zone: string): string {
  const { t } = useLingui()
  const words = useWords(zone)
  if (at === null) return ''
  const moment = momentOf(words, at)
  return t`The last frame is from ${moment}.`
}
