import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { dateFormat, formatPercent } from '../../i18n/formats.ts'
import type { AxisLabel } from '../../machines/timeline/timeline-labels.ts'
import type { TimelineContext } from '../../machines/timeline/timeline.context.ts'
import type { TimelineAnnotation } from '../../machines/timeline/annotations.ts'
import { labelWord, typeWord } from './type-words.ts'
import { whatIsAt, type BandWords } from './band-loop.ts'
import { clockText, localTimeOf } from './local-time.ts'

/** Annotations this near to a moment are described with it. */
const annotationReachMs = 2000

export function useWords(zone: string): BandWords {
  const { t, i18n } = useLingui()
  const { locale } = i18n
  return useMemo(() => {
    const time = localTimeOf(zone)
    const dayFormat = dateFormat({ timeZone: zone, weekday: 'short', day: 'numeric', month: 'short' }, locale)
    const states = {
      fragment: t`recorded`,
      gap: t`not recorded`,
      live: t`live`,
      future: t`in the future`,
      unknown: t`not loaded yet`,
    }
    const annotationText = ({ type, label, score }: TimelineAnnotation) => {
      const word = label === undefined ? typeWord(type) : labelWord(label)
      return [
        word === undefined ? (label ?? type) : t(word),
        ...(score === undefined ? [] : [formatPercent(score)]),
      ].join(' ')
    }
    const momentText = (at: number, now: number) =>
      time.day(at) === time.day(now)
        ? time.hourMinuteSecond(at)
        : `${time.hourMinuteSecond(at)}, ${dayFormat.format(at)}`
    return {
      time,
      labelText: ({ at, local, offset, isDayStart, isRepeated }: AxisLabel) =>
        isDayStart ? dayFormat.format(at) : clockText(local, isRepeated ? offset : null),
      dateText: (at: number) => dayFormat.format(at),
      momentText,
      describe: (context: TimelineContext, at: number, reach = annotationReachMs) => {
        const { type, annotations } = whatIsAt(context, at, reach)
        return [momentText(at, context.live.now), states[type], ...annotations.map(annotationText)].join(', ')
      },
    }
  }, [zone, locale, t])
}
