import { Trans } from '@lingui/react/macro'
import type { CameraState, ExportCamera, Measurements } from '../../machines/exports/mosaic-export-items.ts'
import { RecordedFacts } from '../player/RecordedFacts.tsx'
import { CheckField } from '../ui/Field.tsx'
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
            <span className={styles.facts}>
              <RecordedFacts facts={measured} bitrate={camera.bitrate} />
            </span>
          )}
          {error !== undefined && <span className={styles.problem}>{error}</span>}
        </>
      }
      onChange={onChoose}
    />
  )
}
