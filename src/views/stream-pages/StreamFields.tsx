import type { ReactNode } from 'react'
import { useLingui } from '@lingui/react/macro'
import type { Settings } from '../../api/contract/settings.ts'
import { formatNumber } from '../../i18n/formats.ts'
import type { FieldErrors } from '../../machines/form/form.events.ts'
import type { Node } from '../../machines/stream-pages/nodes.machine.ts'
import { suggestedName, type StreamValues } from '../../machines/stream-pages/stream-values.ts'
import { CheckField, SelectField, TextField } from '../ui/Field.tsx'
import { MarkerField } from './MarkerField.tsx'
import { SourceFields } from './SourceFields.tsx'
import { TagField } from './TagField.tsx'
import { useStreamFieldError } from './words.ts'
import styles from './StreamFields.module.css'

interface StreamFieldsProps {
  values: StreamValues
  saved: StreamValues
  errors: FieldErrors
  settings: Settings
  nodes: readonly Node[] | null
  probe: ReactNode
  onEdit: (values: Partial<StreamValues>) => void
}

export function StreamFields({ values, saved, errors, settings, nodes, probe, onEdit }: StreamFieldsProps) {
  const { t } = useLingui()
  const errorOf = useStreamFieldError(errors)
  const isRecorded = values['archive.isEnable']
  const hasQuota = settings.features.includes('archive-quota') || saved['archive.quotaBytes'] !== ''
  const suggestion = suggestedName(values.streamSource)
  return (
    <div className={styles.fields}>
      <SourceFields values={values} errorOf={errorOf} onEdit={onEdit} hasOnvif={settings.features.includes('ptz')} />
      {probe}
      <TextField
        label={t`Name`}
        name="name"
        autoComplete="off"
        maxLength={200}
        value={values.name}
        error={errorOf('name')}
        onChange={(name) => onEdit({ name })}
      />
      {values.name === '' && suggestion !== '' && (
        <div>
          <button
            type="button"
            className={styles.step}
            onClick={({ currentTarget }) => {
              currentTarget.form?.querySelector<HTMLInputElement>('input[name="name"]')?.focus()
              onEdit({ name: suggestion })
            }}
          >
            {t`Use the name “${suggestion}”`}
          </button>
        </div>
      )}
      <TagField label={t`Tags`} tags={values.tags} error={errorOf('tags')} onChange={(tags) => onEdit({ tags })} />
      <TextField
        label={t`Location`}
        name="location"
        autoComplete="off"
        help={t`Where the camera is, in words that people search for.`}
        value={values['location.name']}
        error={errorOf('location.name')}
        onChange={(name) => onEdit({ 'location.name': name })}
      />
      <MarkerField
        label={t`Marker`}
        marker={values['meta.marker']}
        onChange={(marker) => onEdit({ 'meta.marker': marker })}
      />
      <CheckField
        label={t`Record an archive`}
        checked={isRecorded}
        onChange={(isEnable) => onEdit({ 'archive.isEnable': isEnable })}
      />
      {isRecorded && (
        <DepthField
          depth={values['archive.depthHours']}
          limit={settings.archiveMaxDepthHours}
          error={errorOf('archive.depthHours')}
          onEdit={onEdit}
        />
      )}
      {isRecorded && hasQuota && (
        <TextField
          label={t`Maximum size, GB`}
          name="quota"
          inputMode="decimal"
          autoComplete="off"
          help={t`Above it, the oldest recordings are deleted. Leave empty for no limit.`}
          value={values['archive.quotaBytes']}
          error={errorOf('archive.quotaBytes')}
          onChange={(quota) => onEdit({ 'archive.quotaBytes': quota })}
        />
      )}
      <CheckField
        label={t`On demand`}
        help={t`The camera is connected only while somebody watches.`}
        checked={values['live.onDemand']}
        onChange={(onDemand) => onEdit({ 'live.onDemand': onDemand })}
      />
      {settings.clusterEnabled && (
        <NodeField node={values['node.id']} nodes={nodes} error={errorOf('node.id')} onEdit={onEdit} />
      )}
    </div>
  )
}

interface DepthFieldProps {
  depth: string
  /** In hours; -1: none. */
  limit: number
  error: string | undefined
  onEdit: StreamFieldsProps['onEdit']
}

function DepthField({ depth, limit, error, onEdit }: DepthFieldProps) {
  const { t } = useLingui()
  const isLimited = limit !== -1
  const maxHours = formatNumber(limit)
  const steps = [
    { hours: '24', label: t`1 day` },
    { hours: '168', label: t`1 week` },
    { hours: '720', label: t`30 days` },
    { hours: '', label: t`No limit` },
  ].filter(({ hours }) => !isLimited || (hours !== '' && Number(hours) <= limit))
  return (
    <div className={styles.depth}>
      <TextField
        label={t`Archive depth, hours`}
        name="depth"
        inputMode="decimal"
        autoComplete="off"
        help={
          isLimited
            ? t`The server keeps at most ${maxHours} hours.`
            : t`Older recordings are deleted. Leave empty to keep all that fits on the disk.`
        }
        value={depth}
        error={error}
        onChange={(hours) => onEdit({ 'archive.depthHours': hours })}
      />
      <div className={styles.steps} role="group" aria-label={t`Common depths`}>
        {steps.map(({ hours, label }) => (
          <button
            key={hours}
            type="button"
            className={styles.step}
            aria-pressed={hours === depth.trim()}
            onClick={() => onEdit({ 'archive.depthHours': hours })}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}

interface NodeFieldProps {
  node: string
  nodes: readonly Node[] | null
  error: string | undefined
  onEdit: StreamFieldsProps['onEdit']
}

function NodeField({ node, nodes, error, onEdit }: NodeFieldProps) {
  const { t } = useLingui()
  const change = (id: string) => onEdit({ 'node.id': id })
  if (nodes === null) return <TextField label={t`Node`} name="node" value={node} error={error} onChange={change} />
  const known = nodes.map(({ id, name, available }) => {
    const node = name || id
    return { value: id, label: available ? node : t`${node}, not available` }
  })
  const isKnown = node === '' || known.some(({ value }) => value === node)
  const options = [{ value: '', label: t`Any` }, ...(isKnown ? [] : [{ value: node, label: node }]), ...known]
  return (
    <SelectField
      label={t`Node`}
      help={t`The server of the cluster that connects to the camera.`}
      options={options}
      value={node}
      error={error}
      onChange={change}
    />
  )
}
