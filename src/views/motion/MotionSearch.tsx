import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useId } from 'react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { apiErrorText } from '../../i18n/errors.ts'
import { wholePicture } from '../../machines/motion/area.ts'
import {
  type MotionRef,
  selectMotionApiError,
  selectMotionPhase,
  selectProgress,
  selectSensitivity,
  selectSearchPeriod,
} from '../../machines/motion/motion.selectors.ts'
import { rangeAround } from '../../machines/player/in-out-marks.ts'
import { Button } from '../ui/Button.tsx'
import { Segments } from '../ui/Segments.tsx'
import { MotionResults } from './MotionResults.tsx'
import styles from './Motion.module.css'

interface MotionSearchProps {
  actor: MotionRef
  zone: string
  /** Now, and the period that the timeline shows. */
  readTimes: () => { now: number; visible: TimeRange }
  onPick: (at: number) => void
  /** Marks the recording around the motion that began at `at`. */
  onSelect: (range: TimeRange, at: number) => void
}

/** The search for motion, with its period, its sensitivity and what it found (docs/behaviour.md §8). */
export function MotionSearch({ actor, zone, readTimes, onPick, onSelect }: MotionSearchProps) {
  const { t } = useLingui()
  const phase = useSelector(actor, selectMotionPhase)
  const searchPeriod = useSelector(actor, selectSearchPeriod)
  const sensitivity = useSelector(actor, selectSensitivity)
  const slider = useId()
  const isSearching = phase === 'searching'
  const search = () => actor.send({ type: 'search.requested', ...readTimes() })
  return (
    <div className={styles.search}>
      <div className={styles.form} role="search" aria-label={t`Search motion`}>
        <p className={styles.hint}>
          <Trans>Drag on the picture to select an area.</Trans>
        </p>
        <Segments
          label={t`Search in`}
          options={[
            { id: 'hour', label: t`Last hour` },
            { id: 'day', label: t`Last 24 hours` },
            { id: 'visible', label: t`Shown period` },
          ]}
          chosen={searchPeriod}
          onChoose={(id) => actor.send({ type: 'period.chosen', searchPeriod: id })}
        />
        <div className={styles.sensitivity}>
          <label htmlFor={slider}>{t`Sensitivity`}</label>
          <input
            id={slider}
            type="range"
            min={5}
            max={100}
            step={5}
            value={sensitivity}
            onChange={(event) => actor.send({ type: 'sensitivity.chosen', sensitivity: event.target.valueAsNumber })}
          />
          <output htmlFor={slider}>{sensitivity}</output>
        </div>
        <div className={styles.buttons}>
          {isSearching ? (
            <Button onClick={() => actor.send({ type: 'search.cancelled' })}>{t`Cancel`}</Button>
          ) : (
            <Button variant="primary" onClick={search}>{t`Search`}</Button>
          )}
          <Button
            variant="quiet"
            onClick={() => actor.send({ type: 'area.changed', area: wholePicture })}
          >{t`Whole picture`}</Button>
        </div>
        {isSearching && <Progress actor={actor} />}
        {phase === 'failed' && <Failed actor={actor} />}
      </div>
      {phase !== 'drawing' && (
        <MotionResults
          actor={actor}
          zone={zone}
          onPick={onPick}
          onSelect={({ startTime, endTime }) =>
            onSelect(rangeAround({ from: startTime, to: endTime }, readTimes().now), startTime)
          }
        />
      )}
    </div>
  )
}

function Progress({ actor }: { actor: MotionRef }) {
  const { t } = useLingui()
  const done = useSelector(actor, selectProgress)
  return <progress className={styles.progress} aria-label={t`Search progress`} max={1} value={done} />
}

function Failed({ actor }: { actor: MotionRef }) {
  const { t, i18n } = useLingui()
  const apiError = useSelector(actor, selectMotionApiError)
  return (
    <div className={styles.failed} role="alert">
      <p>{i18n._(apiErrorText(apiError?.code ?? '').message)}</p>
      <Button onClick={() => actor.send({ type: 'search.retried' })}>{t`Retry`}</Button>
    </div>
  )
}
