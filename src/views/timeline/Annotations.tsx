import type { MessageDescriptor } from '@lingui/core'
import { Plural, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { Bookmark, SquareDashedMousePointer } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { formatNumber, formatPercent } from '../../i18n/formats.ts'
import { rangeAround } from '../../machines/player/in-out-marks.ts'
import { type TimelineListsRef, selectShownTypes } from '../../machines/timeline/timeline-lists.machine.ts'
import { annotationsWithin, nearest, typesOf } from '../../machines/timeline/timeline-lists.ts'
import {
  selectAnnotations,
  selectAnnotationsForbiddenCode,
  selectIsLoading,
  selectPeriod,
  type TimelineRef,
} from '../../machines/timeline/timeline.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { AnnotationShape } from './AnnotationShape.tsx'
import type { BandWords } from './band-loop.ts'
import { lengthText } from './local-time.ts'
import { RangeList } from './RangeList.tsx'
import { EmptyTimelineList } from './EmptyTimelineList.tsx'
import { labelWord, typeWord } from './type-words.ts'
import styles from './TimelineLists.module.css'

interface AnnotationsProps {
  actor: TimelineRef
  lists: TimelineListsRef
  clock: () => number | null
  words: BandWords
  /** Selects a recording by the in and out marks; undefined without marks. */
  onSelect: ((range: TimeRange) => void) | undefined
}

const always = () => true
/** The frame of a moment may begin so long before it. */
const frameMs = 200

export function Annotations({ actor, lists, clock, words, onSelect }: AnnotationsProps) {
  const { t } = useLingui()
  const period = useSelector(actor, selectPeriod)
  const annotations = useSelector(actor, selectAnnotations)
  const isLoading = useSelector(actor, selectIsLoading)
  const forbidden = useSelector(actor, selectAnnotationsForbiddenCode)
  const chosen = useSelector(lists, selectShownTypes)
  const within = useMemo(() => annotationsWithin(annotations, period), [annotations, period])
  const types = useMemo(() => typesOf(within), [within])
  const shown = useMemo(
    () => (chosen.length === 0 ? within : within.filter(({ type }) => chosen.includes(type))),
    [within, chosen],
  )
  const pick = useCallback((at: number) => actor.send({ type: 'timeline.pickRequested', at }), [actor])
  const textOf = (word: MessageDescriptor | undefined, original: string) => (word === undefined ? original : t(word))
  const typeText = (type: string) => textOf(typeWord(type), type)
  if (forbidden !== null || within.length === 0) {
    return (
      <EmptyTimelineList
        icon={<Bookmark size={20} />}
        emptyTitle={t`No annotations in this period`}
        forbiddenTitle={t`You have no access to annotations`}
        forbidden={forbidden}
        isLoading={isLoading}
      />
    )
  }
  const shownCount = formatNumber(shown.length)
  const allCount = formatNumber(within.length)
  /* A selected type without annotations in this period stays listed, so that it can be deselected. */
  const absent = chosen
    .filter((type) => types.every((other) => other.type !== type))
    .map((type) => ({ type, isEvent: type === 'event', count: 0 }))
  return (
    <>
      <div role="group" aria-label={t`Types shown`} className={styles.chips}>
        {[...types, ...absent].map(({ type, isEvent, count }) => (
          <button
            key={type}
            type="button"
            className={styles.chip}
            aria-pressed={chosen.includes(type)}
            onClick={() => lists.send({ type: 'annotationType.toggled', annotationType: type })}
          >
            <AnnotationShape isEvent={isEvent} />
            {typeText(type)}
            <span className={styles.kind}>{formatNumber(count)}</span>
          </button>
        ))}
      </div>
      <div className={styles.summary}>
        <p className={styles.count} role="status">
          {chosen.length > 0 ? (
            t`${shownCount} of ${allCount}`
          ) : (
            <Plural value={within.length} one="# annotation" other="# annotations" />
          )}
        </p>
        {onSelect !== undefined && (
          <IconButton
            label={t`Select the recording of the nearest annotation`}
            icon={<SquareDashedMousePointer size={16} />}
            disabled={shown.length === 0}
            onPress={() => {
              const at = clock()
              const { index } = nearest(shown, at === null ? null : at + frameMs)
              const annotation = shown[Math.max(0, index)]
              if (annotation !== undefined) onSelect(rangeAround(annotation, actor.getSnapshot().context.live.now))
            }}
          />
        )}
      </div>
      <RangeList label={t`Annotations`} ranges={shown} clock={clock} words={words} isPickable={always} onPick={pick}>
        {({ type, isEvent, from, to, label, score }) => (
          <>
            <AnnotationShape isEvent={isEvent} />
            <span className={styles.type} title={label}>
              {label === undefined ? typeText(type) : textOf(labelWord(label), label)}
            </span>
            {score !== undefined && <span className={styles.length}>{formatPercent(score)}</span>}
            <span className={styles.times}>{words.time.hourMinuteSecond(from)}</span>
            <span className={styles.length}>{to > from && lengthText(to - from)}</span>
          </>
        )}
      </RangeList>
    </>
  )
}
