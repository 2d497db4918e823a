import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { BookmarkPlus, Trash2 } from 'lucide-react'
import {
  type PtzRef,
  selectPresetName,
  selectPresets,
  selectPresetsState,
  selectRemoving,
} from '../../machines/ptz/ptz.selectors.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './PtzPad.module.css'

const maxNameLength = 64

/** The presets of the camera: go to one, save where it looks now, delete one. */
export function Presets({ ptz }: { ptz: PtzRef }) {
  const { t } = useLingui()
  const presets = useSelector(ptz, selectPresets)
  const state = useSelector(ptz, selectPresetsState)
  const name = useSelector(ptz, selectPresetName)
  const removing = useSelector(ptz, selectRemoving)
  const isReady = state === 'ready'
  const removed = removing?.name || removing?.token || ''
  return (
    <div className={styles.presets} aria-busy={state === 'reading' || undefined}>
      <h3>{t`Presets`}</h3>
      {presets.length === 0 && isReady && <p>{t`No presets yet`}</p>}
      <ul>
        {presets.map((preset) => {
          const words = preset.name || preset.token
          return (
            <li key={preset.token}>
              <button
                type="button"
                className={styles.preset}
                onClick={() => ptz.send({ type: 'goal.chosen', goal: { preset: preset.token } })}
              >
                {words}
              </button>
              <IconButton
                label={t`Delete the preset ${words}`}
                variant="overlay"
                icon={<Trash2 size={16} />}
                disabled={!isReady}
                onPress={() => ptz.send({ type: 'removal.requested', preset })}
              />
            </li>
          )
        })}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          ptz.send({ type: 'preset.saved' })
        }}
      >
        <input
          type="text"
          aria-label={t`Name of a new preset`}
          placeholder={t`New preset`}
          autoComplete="off"
          maxLength={maxNameLength}
          readOnly={!isReady}
          value={name}
          onChange={(event) => ptz.send({ type: 'name.edited', name: event.target.value })}
        />
        <IconButton
          label={t`Save this view as a preset`}
          variant="overlay"
          icon={<BookmarkPlus size={16} />}
          disabled={!isReady || name.trim() === ''}
          onPress={() => ptz.send({ type: 'preset.saved' })}
        />
      </form>
      {(state === 'confirming' || state === 'removing') && (
        <ConfirmDialog
          title={t`Delete the preset?`}
          confirmLabel={t`Delete`}
          busy={state === 'removing'}
          onConfirm={() => ptz.send({ type: 'removal.confirmed' })}
          onCancel={() => ptz.send({ type: 'removal.cancelled' })}
        >
          <p>
            <Trans>“{removed}” is deleted from the camera itself.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
