import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ExportManifest } from '../../api/contract/exports.ts'
import type { VerifiedExport } from '../../api/export-file/verify-export.ts'
import { formatMoment } from '../../i18n/formats.ts'
import {
  type ExportCheckRef,
  selectChecked,
  selectIsChecking,
  selectIsUnreadable,
  verdictBy,
} from '../../machines/exports/export-check.machine.ts'
import { zoneText } from '../timeline/zone-text.ts'
import { TextField } from '../ui/Field.tsx'
import { ChooseFile, FileDrop } from '../ui/FileDrop.tsx'
import { Progress } from './Progress.tsx'
import { mismatches, noKeyText, verdicts } from './export-words.ts'
import styles from './Exports.module.css'

interface ExportCheckProps {
  check: ExportCheckRef
  /** This server's public key; empty until it is loaded. */
  publicKey: string
  zone: string
}

/** Checks an exported file in the browser; nothing is uploaded. */
export function ExportCheck({ check, publicKey, zone }: ExportCheckProps) {
  const { t } = useLingui()
  const { name, fraction, result, key } = useSelector(check, selectChecked)
  const isChecking = useSelector(check, selectIsChecking)
  const isUnreadable = useSelector(check, selectIsUnreadable)
  const expected = (key ?? publicKey).trim()
  const open = (file: File) => check.send({ type: 'file.chosen', name: file.name, file })
  return (
    <section className={styles.check} aria-label={t`Check a file`}>
      <h2>{t`Check a file`}</h2>
      <p className={styles.muted}>
        <Trans>
          Drop an exported file here to see who exported it and whether it was changed. Nothing is uploaded.
        </Trans>
      </p>
      <FileDrop onFile={open}>
        <div className={styles.file}>
          <ChooseFile accept=".zip,application/zip" onFile={open} />
          {name !== '' && <span className={styles.name}>{name}</span>}
        </div>
      </FileDrop>
      <TextField
        label={t`Expected public key`}
        help={t`This server's key, unless the file comes from another server.`}
        autoComplete="off"
        spellCheck={false}
        value={key ?? publicKey}
        onChange={(typed) => check.send({ type: 'key.changed', key: typed })}
      />
      <div role="status">
        {isChecking && <Progress fraction={fraction} />}
        {isUnreadable && <p className={styles.apiError}>{t`The file could not be read.`}</p>}
        {result !== null && <Result result={result} expected={expected} zone={zone} />}
      </div>
    </section>
  )
}

function Result({ result, expected, zone }: { result: VerifiedExport; expected: string; zone: string }) {
  const { i18n } = useLingui()
  const verdict = verdictBy(result, expected)
  const isGood = verdict === 'unchanged'
  const { title, text } = verdicts[verdict]
  return (
    <div className={styles.result} data-good={isGood ? '' : undefined}>
      <h3 className={styles.verdict}>
        {isGood ? <ShieldCheck size={20} aria-hidden="true" /> : <ShieldAlert size={20} aria-hidden="true" />}
        {i18n._(title)}
      </h3>
      <p>{i18n._(isGood && expected === '' ? noKeyText : text)}</p>
      {result.mismatches.length > 0 && (
        <ul className={styles.mismatches}>
          {result.mismatches.map(({ name, kind }, index) => (
            <li key={`${index} ${name}`}>
              {name}: {i18n._(mismatches[kind])}
            </li>
          ))}
        </ul>
      )}
      {result.manifest !== undefined && <Manifest manifest={result.manifest} zone={zone} />}
    </div>
  )
}

function Manifest({ manifest, zone }: { manifest: ExportManifest; zone: string }) {
  const { t } = useLingui()
  const { login, createTime, note, overlay, timezone = 'UTC', items, files, publicKey } = manifest
  const drawnZone = zoneText(timezone)
  return (
    <dl className={styles.facts}>
      <dt>{t`Exported by`}</dt>
      <dd>
        {login}, {formatMoment(createTime, zone)}
      </dd>
      {overlay && (
        <>
          <dt>{t`Picture`}</dt>
          <dd>{t`with time (${drawnZone}) and camera name overlaid, re-encoded`}</dd>
        </>
      )}
      {note !== '' && (
        <>
          <dt>{t`Note`}</dt>
          <dd>{note}</dd>
        </>
      )}
      <dt>{t`Cameras`}</dt>
      <dd>
        <ul className={styles.ranges}>
          {items.map(({ streamId, streamName, startTime, endTime, gaps, masks = [] }, index) => (
            <li key={`${index} ${streamId}`}>
              {streamName || streamId}: {formatMoment(startTime, zone)} – {formatMoment(endTime, zone)}
              {gaps.length > 0 && (
                <>
                  {', '}
                  <Plural value={gaps.length} one="# gap" other="# gaps" />
                </>
              )}
              {masks.length > 0 && (
                <>
                  {', '}
                  <Plural value={masks.length} one="# privacy mask burned in" other="# privacy masks burned in" />
                </>
              )}
            </li>
          ))}
        </ul>
      </dd>
      <dt>{t`Files`}</dt>
      <dd>
        <ul className={styles.ranges}>
          {files.map(({ name, frames }, index) => (
            <li key={`${index} ${name}`}>
              {name}, <Plural value={frames} one="# frame" other="# frames" />
            </li>
          ))}
        </ul>
      </dd>
      <dt>{t`Public key`}</dt>
      <dd className={styles.key}>{publicKey}</dd>
    </dl>
  )
}
