import { useState } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Cable } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { Tunnel } from '../../api/contract/system.ts'
import { selectIsTunnelEnabled, selectSettings } from '../../machines/app/app.selectors.ts'
import type { tunnelMachine } from '../../machines/administration/administration.machines.ts'
import { useApp } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { SelectField } from '../ui/Field.tsx'
import { Facts, Page, Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { useTunnelReason } from './tunnel-words.ts'
import styles from './Administration.module.css'

export function TunnelPage({ actor }: { actor: ActorRefFrom<typeof tunnelMachine> }) {
  const { t } = useLingui()
  const isEnabled = useApp(selectIsTunnelEnabled)
  const { value, apiError, query } = useSelector(actor, ({ context }) => context)
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('performing'))
  if (!isEnabled || !query.isEnabled) {
    return (
      <StatePanel icon={<Cable size={20} />} title={t`Tunnel`} isWholePage>
        <Trans>The tunnel requires a valid license with this feature.</Trans>
      </StatePanel>
    )
  }
  return (
    <Page title={t`Tunnel`} width="narrow">
      <Panel>
        <Resource value={value} apiError={apiError} onRetry={() => actor.send({ type: 'resource.retried' })}>
          {(tunnel) => <TunnelState tunnel={tunnel} isBusy={isBusy} actor={actor} />}
        </Resource>
      </Panel>
    </Page>
  )
}

function TunnelState({
  tunnel,
  isBusy,
  actor,
}: {
  tunnel: Tunnel
  isBusy: boolean
  actor: ActorRefFrom<typeof tunnelMachine>
}) {
  const { t } = useLingui()
  const { tunnelLocations } = useApp(selectSettings)
  const reasonOf = useTunnelReason()
  const [chosen, setLocation] = useState(tunnel.location)
  const location = tunnelLocations.includes(chosen) ? chosen : (tunnelLocations[0] ?? '')
  const locationLabel = t({ message: 'Location', context: 'tunnel' })
  const words: Record<string, string> = {
    stopped: t`Stopped`,
    starting: t`Starting…`,
    running: t`Running`,
    failed: t`Failed`,
  }
  const tones: Record<string, string> = { running: 'good', starting: 'warn', failed: 'bad' }
  const isUp = tunnel.status === 'running' || tunnel.status === 'starting'
  const facts = [
    {
      name: t`State`,
      value: (
        <span className={styles.state} role="status">
          <i className={styles.mark} data-tone={tones[tunnel.status]} aria-hidden="true" />
          {words[tunnel.status] ?? tunnel.status}
        </span>
      ),
    },
    ...(tunnel.url === ''
      ? []
      : [
          {
            name: t`Address`,
            value: (
              <span className={styles.state}>
                <a href={tunnel.url} target="_blank" rel="noopener">
                  {tunnel.url}
                </a>
                <CopyButton text={tunnel.url} />
              </span>
            ),
          },
        ]),
    ...(isUp && tunnel.location !== '' ? [{ name: locationLabel, value: tunnel.location }] : []),
    ...(tunnel.node === undefined ? [] : [{ name: t`Node`, value: tunnel.node }]),
    ...(tunnel.failureReason === '' ? [] : [{ name: t`Reason`, value: reasonOf(tunnel.failureReason) }]),
  ]
  return (
    <>
      <Facts facts={facts} />
      {tunnel.node === undefined && (
        <div className={styles.row}>
          {isUp ? (
            <Button
              variant="danger"
              busy={isBusy}
              onClick={() => actor.send({ type: 'command.requested', command: { kind: 'stop' } })}
            >{t`Stop`}</Button>
          ) : (
            <>
              <SelectField
                label={locationLabel}
                value={location}
                options={tunnelLocations.map((value) => ({ value, label: value }))}
                onChange={setLocation}
              />
              <Button
                variant="primary"
                busy={isBusy}
                onClick={() => actor.send({ type: 'command.requested', command: { kind: 'start', location } })}
              >{t`Start`}</Button>
            </>
          )}
        </div>
      )}
    </>
  )
}
