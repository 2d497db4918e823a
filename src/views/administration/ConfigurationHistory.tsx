import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { RotateCcw } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import { formatMoment } from '../../i18n/formats.ts'
import { changesBetween, flatten } from '../../machines/administration/configuration-values.ts'
import type {
  configurationFormMachine,
  configurationHistoryMachine,
} from '../../machines/administration/configuration.machine.ts'
import { type SchemaField, withoutSecrets } from '../../machines/administration/schema-fields.ts'
import { Button } from '../ui/Button.tsx'
import { Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { Changes } from './Changes.tsx'
import { useConfigurationWords } from './configuration-words.ts'
import styles from './Configuration.module.css'

interface ConfigurationHistoryProps {
  history: ActorRefFrom<typeof configurationHistoryMachine>
  form: ActorRefFrom<typeof configurationFormMachine>
  fields: readonly SchemaField[]
  onRestore: (values: Record<string, unknown>) => void
}

export function ConfigurationHistory({ history, form, fields, onRestore }: ConfigurationHistoryProps) {
  const { t } = useLingui()
  const words = useConfigurationWords()
  const { value, apiError } = useSelector(history, ({ context }) => context)
  const current = useSelector(form, ({ context }) => context.values)
  const worded = fields.map((field) => ({ ...field, ...words.field(field) }))
  return (
    <Panel title={t`History`}>
      <Resource value={value} apiError={apiError} onRetry={() => history.send({ type: 'resource.retried' })}>
        {(versions) =>
          versions.length === 0 ? (
            <p className={styles.quiet}>
              <Trans>No changes have been saved yet: the start-up settings are in effect.</Trans>
            </p>
          ) : (
            <ol className={styles.versions}>
              {versions.map(({ id, time, login, values }, index) => {
                const older = versions[index + 1]
                const changes = older === undefined ? null : changesBetween(flatten(older.values), flatten(values))
                const restored = withoutSecrets(fields, flatten(values))
                const changesToRestore = changesBetween(current, { ...current, ...restored })
                return (
                  <li key={id}>
                    <div className={styles.version}>
                      <span>
                        {login === '' ? (
                          <Trans>Start-up settings</Trans>
                        ) : (
                          <>
                            <time dateTime={new Date(time).toISOString()}>{formatMoment(time)}</time> · {login}
                          </>
                        )}
                      </span>
                      {index === 0 ? (
                        <span className={styles.quiet}>{t`In effect now`}</span>
                      ) : (
                        <Button
                          variant="quiet"
                          disabled={changesToRestore.length === 0}
                          icon={<RotateCcw size={16} aria-hidden="true" />}
                          onClick={() => onRestore(values)}
                        >
                          {t`Restore`}
                        </Button>
                      )}
                    </div>
                    {changes === null ? (
                      login !== '' && <p className={styles.quiet}>{t`The oldest stored version`}</p>
                    ) : (
                      <details>
                        <summary>
                          <Plural value={changes.length} one="# change" other="# changes" />:{' '}
                          {changes
                            .slice(0, 3)
                            .map(({ path }) => worded.find((field) => field.path === path)?.title ?? path)
                            .join(', ')}
                          {changes.length > 3 && '…'}
                        </summary>
                        <Changes changes={changes} fields={worded} />
                      </details>
                    )}
                  </li>
                )
              })}
            </ol>
          )
        }
      </Resource>
      <p className={styles.quiet}>
        <Trans>Restoring fills the form; nothing changes until you save. Passwords stay as they are.</Trans>
      </p>
    </Panel>
  )
}
