import { type KeyboardEvent, useRef, useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { formatNumber } from '../../i18n/formats.ts'
import {
  type BulkRef,
  type GatheringRef,
  selectChosen,
  selectGatheredCount,
  selectGathering,
  selectGatheringTotal,
  selectIsConfirming,
  selectIsConfirmingLocked,
  selectIsTagging,
  selectIsWorking,
  selectJob,
  selectOpenCount,
  selectOutcomes,
  selectRetryableCount,
} from '../../machines/streams/streams.selectors.ts'
import type { BulkJob } from '../../machines/streams/bulk.events.ts'
import { Button } from '../ui/Button.tsx'
import { BulkLockedDialog, BulkRemovalDialog, TagDialog } from './BulkDialogs.tsx'
import { BulkResults } from './BulkResults.tsx'
import { CredentialsDialog } from './CredentialsDialog.tsx'
import { isRecorded, PauseDialog } from './PauseDialog.tsx'
import { UnshareDialog } from './UnshareDialog.tsx'
import type { ChooseAll } from './use-choose-all.ts'
import styles from './BulkBar.module.css'

type WithFocus = (act: () => void) => void

interface BulkBarProps {
  bulk: BulkRef
  all: ChooseAll
}

export function BulkBar({ bulk, all }: BulkBarProps) {
  const { t } = useLingui()
  const chosen = useSelector(bulk, selectChosen)
  const outcomes = useSelector(bulk, selectOutcomes)
  const isWorking = useSelector(bulk, selectIsWorking)
  const isTagging = useSelector(bulk, selectIsTagging)
  const isConfirming = useSelector(bulk, selectIsConfirming)
  const isConfirmingLocked = useSelector(bulk, selectIsConfirmingLocked)
  const gathering = useSelector(bulk, selectGathering)
  const [isShowingResults, setShowingResults] = useState(false)
  const region = useRef<HTMLElement>(null)
  /** A pressed button may disappear with its action: the bar takes the focus first, so that Escape still works. */
  const withFocus = (act: () => void) => {
    region.current?.focus()
    act()
  }
  /** A key that is held has closed a dialog, which returns the focus to the bar. */
  const clearOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && !event.repeat && clearChoice(bulk)
  return (
    <>
      {/* Escape clears the selection from any button of the bar, except during a job or while streams are gathered. */}
      <section
        ref={region}
        tabIndex={-1}
        className={styles.bar}
        aria-label={t`Selected streams`}
        onKeyDown={clearOnEscape}
      >
        <p className={styles.count} role="status">
          {chosen.size > 0 && (
            <strong>
              <Plural value={chosen.size} one="# selected" other="# selected" />
            </strong>
          )}
          <Progress bulk={bulk} />
        </p>
        {(isWorking || outcomes.size > 0) && (
          <Button variant="quiet" onClick={() => setShowingResults(true)}>{t`Results`}</Button>
        )}
        {gathering !== undefined ? (
          <Gathering bulk={bulk} gathering={gathering} withFocus={withFocus} />
        ) : isWorking ? (
          <Working bulk={bulk} withFocus={withFocus} />
        ) : (
          <Actions bulk={bulk} withFocus={withFocus} all={all} />
        )}
      </section>
      {isShowingResults && <BulkResults bulk={bulk} onClose={() => setShowingResults(false)} />}
      {isTagging && <TagDialog bulk={bulk} />}
      {isConfirming && <BulkRemovalDialog bulk={bulk} />}
      {isConfirmingLocked && <BulkLockedDialog bulk={bulk} />}
    </>
  )
}

/** The bar disappears: the tab stop of the list takes the focus. */
function clearChoice(bulk: BulkRef): void {
  if (!bulk.getSnapshot().can({ type: 'choice.cleared' })) return
  const stops = ['[data-entry][tabindex="0"]', '[data-entry]', 'main']
  const stop = stops.map((selector) => document.querySelector<HTMLElement>(selector)).find((one) => one !== null)
  stop?.focus({ preventScroll: true })
  bulk.send({ type: 'choice.cleared' })
}

function Progress({ bulk }: { bulk: BulkRef }) {
  const outcomes = useSelector(bulk, selectOutcomes)
  const open = useSelector(bulk, selectOpenCount)
  if (outcomes.size === 0 && open === 0) return null
  const kinds = [...outcomes.values()].map(({ kind }) => kind)
  const done = formatNumber(kinds.filter((kind) => kind === 'done').length)
  const refused = kinds.filter((kind) => kind === 'refused').length
  const skipped = kinds.filter((kind) => kind === 'skipped').length
  const total = formatNumber(outcomes.size + open)
  return (
    <span>
      <Trans>
        {done} of {total} done
      </Trans>
      {skipped > 0 && (
        <>
          {' · '}
          <Plural value={skipped} one="# skipped" other="# skipped" />
        </>
      )}
      {refused > 0 && (
        <span className={styles.refused}>
          {' · '}
          <Plural value={refused} one="# failed" other="# failed" />
        </span>
      )}
    </span>
  )
}

function Working({ bulk, withFocus }: { bulk: BulkRef; withFocus: WithFocus }) {
  const { t } = useLingui()
  const done = useSelector(bulk, selectOutcomes).size
  const total = done + useSelector(bulk, selectOpenCount)
  return (
    <>
      <progress className={styles.progress} aria-label={t`Progress`} value={done} max={total} />
      <Button onClick={() => withFocus(() => bulk.send({ type: 'job.cancelled' }))}>{t`Cancel`}</Button>
    </>
  )
}

/** Shown while the pages of the list that aren't loaded yet are fetched, to select all streams. */
function Gathering({ bulk, gathering, withFocus }: { bulk: BulkRef; gathering: GatheringRef; withFocus: WithFocus }) {
  const { t } = useLingui()
  const count = useSelector(gathering, selectGatheredCount)
  const total = useSelector(gathering, selectGatheringTotal)
  const [found, all] = [formatNumber(count), formatNumber(total)]
  return (
    <>
      <span className={styles.gathered}>{t`Selecting ${found} of ${all}…`}</span>
      <progress className={styles.progress} aria-label={t`Progress`} value={count} max={total} />
      <Button onClick={() => withFocus(() => bulk.send({ type: 'gathering.cancelled' }))}>{t`Cancel`}</Button>
    </>
  )
}

function Actions({ bulk, withFocus, all }: BulkBarProps & { withFocus: WithFocus }) {
  const { t } = useLingui()
  const chosen = useSelector(bulk, selectChosen)
  const chosenCount = chosen.size
  const retryableCount = useSelector(bulk, selectRetryableCount)
  const job = useSelector(bulk, selectJob)
  const count = all.count === null ? null : formatNumber(all.count)
  const [asked, setAsked] = useState<'pause' | 'credentials' | 'unshare' | null>(null)
  const streams = [...chosen.values()]
  const begin = (job: Exclude<BulkJob, { kind: 'delete' }>) => {
    setAsked(null)
    withFocus(() => bulk.send({ type: 'job.requested', job }))
  }
  const ask = (question: NonNullable<typeof asked>) => withFocus(() => setAsked(question))
  const onCancel = () => setAsked(null)
  return (
    <>
      {asked === 'pause' && (
        <PauseDialog streams={streams} onConfirm={() => begin({ kind: 'pause' })} onCancel={onCancel} />
      )}
      {asked === 'credentials' && (
        <CredentialsDialog
          onConfirm={(credentials) => begin({ kind: 'credentials', ...credentials })}
          onCancel={onCancel}
        />
      )}
      {asked === 'unshare' && (
        <UnshareDialog streams={streams} onConfirm={() => begin({ kind: 'unshare' })} onCancel={onCancel} />
      )}
      <span className={styles.actions}>
        {retryableCount > 0 && job !== null && (
          <Button
            variant="primary"
            onClick={() => withFocus(() => bulk.send({ type: 'job.retried' }))}
          >{t`Retry`}</Button>
        )}
        {all.isPossible && !all.areAllChosen && (
          <Button
            variant="quiet"
            title={t`All streams in this list, including those not loaded yet`}
            onClick={() => withFocus(all.chooseAll)}
          >
            {count === null ? t`Select all` : t`Select all ${count}`}
          </Button>
        )}
        {chosenCount > 0 && (
          <>
            <Button
              onClick={() => (streams.some(isRecorded) ? ask('pause') : begin({ kind: 'pause' }))}
            >{t`Pause`}</Button>
            <Button onClick={() => begin({ kind: 'resume' })}>{t`Resume`}</Button>
            <Button onClick={() => withFocus(() => bulk.send({ type: 'tagging.requested' }))}>{t`Tags…`}</Button>
            <Button onClick={() => ask('credentials')}>{t`Login and password…`}</Button>
            <Button onClick={() => ask('unshare')}>{t`Stop sharing`}</Button>
            <Button
              variant="danger"
              onClick={() => withFocus(() => bulk.send({ type: 'removal.requested' }))}
            >{t`Delete…`}</Button>
          </>
        )}
      </span>
      <Button
        variant="quiet"
        icon={<X size={16} aria-hidden="true" />}
        aria-label={t`Clear selection`}
        title={t`Clear selection`}
        onClick={() => clearChoice(bulk)}
      />
    </>
  )
}
