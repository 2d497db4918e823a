import type { ReactNode } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Clock, AppWindow, Grid2x2, User, Video } from 'lucide-react'
import type { Choice } from '../../machines/palette/choices.ts'
import type { PaletteRef } from '../../machines/palette/palette.selectors.ts'
import { localText } from '../../machines/player/local-text.ts'
import { dateFormat } from '../../i18n/formats.ts'
import styles from './Palette.module.css'

const icons: Readonly<Record<Choice['kind'], ReactNode>> = {
  time: <Clock size={16} aria-hidden="true" />,
  stream: <Video size={16} aria-hidden="true" />,
  mosaic: <Grid2x2 size={16} aria-hidden="true" />,
  user: <User size={16} aria-hidden="true" />,
  page: <AppWindow size={16} aria-hidden="true" />,
}

interface ChoicesProps {
  actor: PaletteRef
  listId: string
  choices: readonly Choice[]
  /** The id of the choice that Enter opens; empty if there is none. */
  marked: string
  optionId: (id: string) => string
  isRecent: boolean
  zone: string
}

export function Choices({ actor, listId, choices, marked, optionId, isRecent, zone }: ChoicesProps) {
  const { t } = useLingui()
  const heads: Readonly<Record<Choice['kind'], string>> = {
    time: t`Time`,
    stream: t`Streams`,
    mosaic: t`Mosaics`,
    user: t`Users`,
    page: t`Pages`,
  }
  const groups = isRecent
    ? [{ head: t`Recent`, members: choices }]
    : (['time', 'stream', 'mosaic', 'user', 'page'] as const).map((kind) => ({
        head: heads[kind],
        members: choices.filter((choice) => choice.kind === kind),
      }))
  return (
    <div id={listId} className={styles.list} role="listbox" aria-label={t`Where to go`} hidden={choices.length === 0}>
      {groups.map(({ head, members }) =>
        members.length === 0 ? null : (
          <div key={head} role="group" aria-label={head}>
            <p className={styles.head} aria-hidden="true">
              {head}
            </p>
            {members.map((choice) => (
              // The text field keeps the focus and handles the keys.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={choice.id}
                id={optionId(choice.id)}
                role="option"
                aria-selected={choice.id === marked}
                className={styles.option}
                onPointerMove={() => choice.id !== marked && actor.send({ type: 'choice.pointed', id: choice.id })}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => actor.send({ type: 'choice.taken', id: choice.id })}
              >
                {icons[choice.kind]}
                <Words choice={choice} zone={zone} />
              </div>
            ))}
          </div>
        ),
      )}
    </div>
  )
}

function Words({ choice, zone }: { choice: Choice; zone: string }) {
  if (choice.kind !== 'time')
    return (
      <span className={styles.label} title={choice.label}>
        {choice.label}
      </span>
    )
  return (
    <>
      <span className={styles.label}>
        <time dateTime={new Date(choice.at).toISOString()}>{localText(choice.at, zone)}</time>
        <span className={styles.aside}> {dateFormat({ weekday: 'long', timeZone: zone }).format(choice.at)}</span>
      </span>
      <span className={styles.aside}>{choice.subject}</span>
    </>
  )
}
