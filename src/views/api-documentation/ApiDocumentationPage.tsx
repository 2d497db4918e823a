import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Braces } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { apiDocumentationMachine } from '../../machines/api-documentation/api-documentation.machine.ts'
import { selectedOf } from '../../machines/api-documentation/api-documentation.machine.ts'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { OperationList } from './OperationList.tsx'
import { OperationPanel } from './OperationPanel.tsx'
import styles from './ApiDocumentation.module.css'

export function ApiDocumentationPage({ actor }: { actor: ActorRefFrom<typeof apiDocumentationMachine> }) {
  const { t } = useLingui()
  const context = useSelector(actor, (snapshot) => snapshot.context)
  const selected = selectedOf(context)
  return (
    <div className={styles.page} data-chosen={selected !== null}>
      <Resource
        value={context.info}
        apiError={context.apiError}
        onRetry={() => actor.send({ type: 'resource.retried' })}
      >
        {() => (
          <>
            <OperationList actor={actor} selected={selected?.operation.id ?? null} />
            <div className={styles.detail}>
              {selected === null ? (
                <StatePanel icon={<Braces size={20} />} title={t`Select a call`}>
                  <Trans>
                    You can fill in each call and send it to this server, as yourself or with a token. The response is
                    shown as received; JSON is indented.
                  </Trans>
                </StatePanel>
              ) : (
                <OperationPanel key={selected.operation.id} actor={actor} {...selected} />
              )}
            </div>
          </>
        )}
      </Resource>
    </div>
  )
}
