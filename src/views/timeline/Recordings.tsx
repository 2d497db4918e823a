import { Plural, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { Film } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { intervalsWithin, type Interval } from '../../machines/timeline/intervals.ts'
import {
  selectForbiddenCode,
  selectIsLoading,
  selectPeriod,
  selectRecorded,
  type TimelineSnapshot,
  type TimelineRef,
} from '../../machines/timeline/timeline.selectors.ts'
import type { BandWords } from './band-loop.ts'
import { lengthText } from './local-time.ts'
import { RangeList } from './RangeList.tsx'
import { EmptyTimelineList } from './EmptyTimelineList.tsx'
import styles from './TimelineLists.module.css'

interface RecordingsProps {
  actor: TimelineRef
  clock: () => number | null
  words: BandWords
}

/** The known ranges end at the last tick of the clock, which may be this long ago. */
const toleranceMs = 1000

/** The start of a gap that lasts until now, whose end is unknown; null if there is none. */
const selectOpenGap = ({ context: { recorded, live } }: TimelineSnapshot) => {
  const last = recorded.at(-1)
  return last?.type === 'gap' && last.to >= live.now - toleranceMs ? last.from : null
}

const isRecorded = ({ type }: Interval) => type === 'fragment'

export function Recordings({ actor, clock, words }: RecordingsProps) {
  const { t } = useLingui()
  const period = useSelector(actor, selectPeriod)
  const recorded = useSelector(actor, selectRecorded)
  const openGap = useSelector(actor, selectOpenGap)
  const isLoading = useSelector(actor, selectIsLoading)
  const forbidden = useSelector(actor, selectForbiddenCode)
  const shown = useMemo(() => intervalsWithin(recorded, period.from, period.to), [recorded, period])
  const pick = useCallback((at: number) => actor.send({ type: 'timeline.pickRequested', at }), [actor])
  const recordings = shown.filter(isRecorded).length
  if (forbidden !== null || isLoading || recordings === 0) {
    return (
      <EmptyTimelineList
        icon={<Film size={20} />}
        emptyTitle={t`There are no recordings in this period`}
        forbiddenTitle={t`You have no access to recordings`}
        forbidden={forbidden}
        isLoading={isLoading}
      />
    )
  }
  return (
    <>
      <p className={styles.count}>
        <Plural value={recordings} one="# recording in the shown period" other="# recordings in the shown period" />
      </p>
      <RangeList label={t`Recordings`} ranges={shown} clock={clock} words={words} isPickable={isRecorded} onPick={pick}>
        {({ type, from, to }) => {
          const isOpen = from === openGap
          return (
            <>
              <span className={styles.times}>
                {words.time.hourMinuteSecond(from)} – {!isOpen && words.time.hourMinuteSecond(to)}
              </span>
              <span className={styles.kind}>{type === 'fragment' ? t`recorded` : t`not recorded`}</span>
              <span className={styles.length}>{!isOpen && lengthText(to - from)}</span>
            </>
          )
        }}
      </RangeList>
    </>
  )
}
