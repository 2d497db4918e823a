import { Plural, Trans } from '@lingui/react/macro'
import { formatBytes } from '../../i18n/bytes.ts'
import type { CameraState, ExportCamera, Measurements } from '../../machines/exports/mosaic-export.machine.ts'
import { bytesOf, type Facts } from '../../machines/player/facts.ts'
import { CheckField } from '../ui/Field.tsx'
import { useDuration } from '../ui/use-duration.ts'
import styles from './MosaicExport.module.css'

interface RowProps {
  camera: ExportCamera
  state: CameraState
  measured: Measurements[string] | undefined
  error: string | undefined
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

/** A camera that can be exported or left out, with the gaps in its recordings. */
export function ExportCameraRow({ camera, state, measured, error, isChosen, onChoose }: RowProps) {
  return (
    <CheckField
      label={camera.name}
      checked={isChosen}
      disabled={state !== 'recorded' && state !== 'unknown'}
      help={
        <>
          {state === 'forbidden' && <Trans>Left out: you may not download its archive</Trans>}
          {state === 'empty' && <Trans>Left out: no recordings</Trans>}
          {state === 'unknown' && <Trans>The recordings couldn't be checked</Trans>}
          {state === 'recorded' && measured !== undefined && 'recordedMs' in measured && (
            <Recorded facts={measured} bitrate={camera.bitrate} />
          )}
          {error !== undefined && <span className={styles.problem}>{error}</span>}
        </>
      }
      onChange={onChoose}
    />
  )
}

function Recorded({ facts, bitrate }: { facts: Facts; bitrate: number | null }) {
  const missing = useDuration(facts.gapMs / 1000)
  const bytes = bytesOf(facts, bitrate)
  const size = formatBytes(bytes ?? 0)
  return (
    <span className={styles.facts}>
      <span data-missing={facts.gaps > 0 || undefined}>
        {facts.gaps === 0 ? (
          <Trans>no gaps</Trans>
        ) : (
          <Plural value={facts.gaps} one={`# gap, ${missing}`} other={`# gaps, ${missing}`} />
        )}
      </span>
      {bytes !== null && (
        <span>
          <Trans>about {size}</Trans>
        </span>
      )}
    </span>
  )
}
