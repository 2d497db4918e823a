import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { useId, useMemo, useState, type KeyboardEvent } from 'react'
import type { ZoneChoice, Zones } from '../../machines/player/zones.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { matchingZones, zoneOptions } from './zone-options.ts'
import { utcText, zoneText } from './zone-text.ts'
import styles from './ZoneDialog.module.css'

interface ZoneDialogProps {
  zones: Zones
  chosen: ZoneChoice
  at: number
  onChoose: (choice: ZoneChoice) => void
  onClose: () => void
}

const focusOn = (element: HTMLElement | null) => element?.focus()
const reveal = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

export function ZoneDialog({ zones, chosen, at, onChoose, onClose }: ZoneDialogProps) {
  const { t, i18n } = useLingui()
  const list = useId()
  const [search, setSearch] = useState('')
  const [cursor, setCursor] = useState<ZoneChoice>(chosen)
  const options = useMemo(() => zoneOptions(zones, at, i18n.locale), [zones, at, i18n.locale])
  const matches = useMemo(() => matchingZones(options, search), [options, search])
  const active = Math.max(
    0,
    matches.findIndex(({ choice }) => choice === cursor),
  )
  const idOf = (index: number) => `${list}-${index}`
  const titles: Readonly<Record<string, string>> = { browser: t`Browser time zone`, server: t`Server time zone` }

  function choose(choice: ZoneChoice): void {
    onChoose(choice)
    onClose()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const last = matches.length - 1
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(last, active + 1),
      ArrowUp: Math.max(0, active - 1),
      PageDown: Math.min(last, active + 8),
      PageUp: Math.max(0, active - 8),
    }
    const target = Object.hasOwn(targets, event.key) ? matches[targets[event.key] ?? 0] : undefined
    if (target !== undefined) setCursor(target.choice)
    else if (event.key === 'Enter' && matches[active] !== undefined) choose(matches[active].choice)
    else return
    event.preventDefault()
  }

  return (
    <Dialog title={t`Time zone`} onClose={onClose}>
      <div className={styles.search}>
        <label htmlFor={`${list}-search`}>{t`Find a time zone`}</label>
        <input
          ref={focusOn}
          id={`${list}-search`}
          type="search"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={matches.length === 0 ? undefined : idOf(active)}
          placeholder={t`City or UTC+02:00`}
          className={styles.input}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value)
            setCursor(event.target.value === '' ? chosen : '')
          }}
          onKeyDown={onKeyDown}
        />
        <p role="status" className={styles.count}>
          {matches.length === 0 ? (
            <Trans>No matching time zones</Trans>
          ) : (
            <Plural value={matches.length} one="# time zone" other="# time zones" />
          )}
        </p>
      </div>
      <div id={list} role="listbox" aria-label={t`Time zones`} className={styles.list} hidden={matches.length === 0}>
        {matches.map(({ choice, zone, offset, name }, index) => (
          <button
            key={choice}
            ref={index === active ? reveal : null}
            type="button"
            tabIndex={-1}
            id={idOf(index)}
            role="option"
            aria-selected={choice === chosen}
            data-active={index === active || undefined}
            className={styles.option}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(choice)}
          >
            <span className={styles.mark} aria-hidden="true">
              {choice === chosen && <Check size={16} />}
            </span>
            <span className={styles.name}>
              {titles[choice] === undefined ? zoneText(zone) : `${titles[choice]}: ${zoneText(zone)}`}
              <span className={styles.long}>{name}</span>
            </span>
            <span className={styles.offset}>{utcText(offset)}</span>
          </button>
        ))}
      </div>
    </Dialog>
  )
}
