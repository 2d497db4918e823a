import { Plural, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { X } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { formatNumber } from '../../i18n/formats.ts'
import type { Right } from '../../machines/permissions/rights.ts'
import type { gatheringMachine } from '../../machines/streams/gathering.machine.ts'
import type { RightNames } from '../people/words.ts'
import { Button } from '../ui/Button.tsx'
import { type PageRef, selectChosen, selectGathering } from './permission-page.ts'
import styles from './PermissionRows.module.css'

type GatheringSnapshot = SnapshotFrom<typeof gatheringMachine>

const selectGatheredCount = ({ context }: GatheringSnapshot) => context.gathered.size
const selectTotal = ({ context }: GatheringSnapshot) => context.total

interface SelectedStreamsProps {
  actor: PageRef
  rights: readonly Right[]
  names: RightNames
}

/** What may be done with the selected rows. */
export function SelectedStreams({ actor, rights, names }: SelectedStreamsProps) {
  const { t } = useLingui()
  const chosen = useSelector(actor, selectChosen)
  const gathering = useSelector(actor, selectGathering)
  const withheld = names.canDownload
  if (chosen.size === 0 && gathering === undefined) return null
  const change = (right: Right, isGranted: boolean) =>
    actor.send({ type: 'right.changed', streams: [...chosen.values()], right, isGranted })
  return (
    <div className={styles.bulk} role="group" aria-label={t`Selected streams`}>
      {gathering === undefined ? (
        <>
          <p role="status">
            <Plural value={chosen.size} one="# stream selected" other="# streams selected" />
          </p>
          {rights.map((right) => {
            const name = names[right]
            return <Button key={right} onClick={() => change(right, true)}>{t`Allow: ${name}`}</Button>
          })}
          {rights.includes('canDownload') && (
            <Button onClick={() => change('canDownload', false)}>{t`Withdraw: ${withheld}`}</Button>
          )}
          <Button onClick={() => change('canView', false)}>{t`Withdraw all`}</Button>
          <Button
            variant="quiet"
            icon={<X size={16} aria-hidden="true" />}
            aria-label={t`Clear selection`}
            title={t`Clear selection`}
            onClick={({ currentTarget }) => {
              // The group disappears with its buttons: the table after it takes the focus.
              currentTarget.parentElement?.nextElementSibling?.querySelector('input')?.focus()
              actor.send({ type: 'choice.cleared' })
            }}
          />
        </>
      ) : (
        <Gathering actor={actor} gathering={gathering} />
      )}
    </div>
  )
}

function Gathering({ actor, gathering }: { actor: PageRef; gathering: ActorRefFrom<typeof gatheringMachine> }) {
  const { t } = useLingui()
  const count = useSelector(gathering, selectGatheredCount)
  const total = useSelector(gathering, selectTotal)
  const [found, all] = [formatNumber(count), formatNumber(total)]
  return (
    <>
      <p role="status">{t`Selecting ${found} of ${all}…`}</p>
      <progress aria-label={t`Progress`} value={count} max={total} />
      <Button onClick={() => actor.send({ type: 'gathering.cancelled' })}>{t`Cancel`}</Button>
    </>
  )
}
