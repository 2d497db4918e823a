import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, CircleAlert, Download, Pause, Play, Trash2 } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { LogLine } from '../../api/contract/stream.ts'
import { apiErrorText } from '../../i18n/errors.ts'
import { dateFormat, formatMoment, formatNumber } from '../../i18n/formats.ts'
import { matching, type tailMachine, textOf } from '../../machines/log-tail/tail.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { useConsole } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Panel } from '../ui/Page.tsx'
import { Skeleton } from '../ui/State.tsx'
import styles from './LogTail.module.css'

type Snapshot = SnapshotFrom<typeof tailMachine>

const selectIsPaused = (snapshot: Snapshot) => snapshot.matches('paused')
const selectIsForbidden = (snapshot: Snapshot) => snapshot.matches('forbidden')

const lineTime = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const
const commonLevels = ['debug', 'info', 'warning', 'error']

export function LogTail({ actor, name }: { actor: ActorRefFrom<typeof tailMachine>; name: string }) {
  const { t, i18n } = useLingui()
  const { saveText } = useConsole()
  const { lines, level, filter, apiError, hasLoaded } = useSelector(actor, selectContext)
  const isPaused = useSelector(actor, selectIsPaused)
  const isForbidden = useSelector(actor, selectIsForbidden)
  const shown = useMemo(() => matching(lines, level, filter), [lines, level, filter])
  const present = new Set([...lines.map((line) => line.level), level])
  const levels = [...new Set([...commonLevels.filter((one) => present.has(one)), ...present])]
  const options = [
    { value: '', label: t`All levels` },
    ...levels.filter((one) => one !== '').map((one) => ({ value: one, label: one })),
  ]
  const failure = apiError === null ? null : apiErrorText(apiError.code)
  const shownCount = formatNumber(shown.length)
  const allCount = formatNumber(lines.length)
  return (
    <Panel
      title={t`Log`}
      actions={
        <span className={styles.count}>
          {shown.length === lines.length ? (
            <Plural value={lines.length} one="# line" other="# lines" />
          ) : (
            <Trans>
              {shownCount} of {allCount} lines
            </Trans>
          )}
        </span>
      }
    >
      <div className={styles.tools}>
        <SelectField
          label={t`Level`}
          options={options}
          value={level}
          onChange={(chosen) => actor.send({ type: 'tail.levelChosen', level: chosen })}
        />
        <TextField
          label={t`Filter`}
          type="search"
          value={filter}
          onChange={(text) => actor.send({ type: 'tail.filterEdited', filter: text })}
        />
        <div className={styles.buttons}>
          <Button
            icon={isPaused ? <Play size={16} aria-hidden="true" /> : <Pause size={16} aria-hidden="true" />}
            onClick={() => actor.send({ type: isPaused ? 'tail.resumed' : 'tail.paused' })}
            disabled={isForbidden}
          >
            {isPaused ? t`Resume` : t`Pause`}
          </Button>
          <CopyButton text={textOf(shown)} />
          <IconButton
            label={t`Download`}
            icon={<Download size={16} />}
            onPress={() =>
              saveText(`${name.replaceAll(/[\\/:*?"<>|]+/g, '-')}.log`, 'text/plain', `${textOf(shown)}\n`)
            }
          />
          <IconButton
            label={t`Clear`}
            icon={<Trash2 size={16} />}
            onPress={() => actor.send({ type: 'tail.cleared' })}
          />
        </div>
      </div>
      {failure !== null && (
        <p className={styles.failure} role="status">
          <CircleAlert size={16} aria-hidden="true" />
          {i18n._(failure.message)} {failure.code !== '' && <code>{failure.code}</code>}
        </p>
      )}
      {hasLoaded || apiError !== null ? (
        <Lines lines={shown} isFiltered={lines.length > 0} />
      ) : (
        <div className={styles.lines} aria-busy="true">
          <Skeleton height="60px" />
        </div>
      )}
    </Panel>
  )
}

/** Follows the newest line until the user scrolls up, then keeps the scroll position. */
function Lines({ lines, isFiltered }: { lines: readonly LogLine[]; isFiltered: boolean }) {
  const { t } = useLingui()
  const box = useRef<HTMLDivElement>(null)
  const [isFollowing, setFollowing] = useState(true)
  /** Where following scrolled to. Above it, the user has scrolled up, even if the scroll event is still to come. */
  const followedTop = useRef(0)
  useLayoutEffect(() => {
    const element = box.current
    if (
      !isFollowing ||
      element === null ||
      element.scrollTop < Math.min(followedTop.current, element.scrollHeight - element.clientHeight) - 8
    )
      return
    element.scrollTop = element.scrollHeight
    followedTop.current = element.scrollTop
  })
  const follow = () => {
    followedTop.current = 0
    setFollowing(true)
  }
  return (
    <div className={styles.frame}>
      <div
        ref={box}
        className={styles.lines}
        role="log"
        aria-live="off"
        aria-label={t`Log`}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setFollowing(scrollHeight - clientHeight - scrollTop < 8)
        }
      >
        {lines.length === 0 && (
          <p className={styles.none}>{isFiltered ? t`No line matches the filter.` : t`No lines yet.`}</p>
        )}
        <ol>
          {lines.map((line) => (
            <li key={line.id} className={styles.line} data-level={line.level.toLowerCase()}>
              {line.time !== undefined && (
                <time dateTime={new Date(line.time).toISOString()} title={formatMoment(line.time)}>
                  {dateFormat(lineTime).format(line.time)}
                </time>
              )}
              <span className={styles.level}>{line.level}</span>
              <span className={styles.message}>{line.message}</span>
            </li>
          ))}
        </ol>
      </div>
      {!isFollowing && (
        <div className={styles.jump}>
          <Button icon={<ArrowDown size={16} aria-hidden="true" />} onClick={follow}>{t`Newest`}</Button>
        </div>
      )}
    </div>
  )
}
