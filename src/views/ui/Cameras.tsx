import { useLingui } from '@lingui/react/macro'
import type { CameraList } from '../../machines/streams/cameras.machine.ts'
import { Chips } from './Chips.tsx'
import { SelectField } from './Field.tsx'
import { useUnlisted } from './use-unlisted.ts'

interface CamerasProps {
  label: string
  /** Ids; none: all cameras. */
  selected: readonly string[]
  cameras: CameraList
  onChange: (selected: readonly string[]) => void
}

/** Adds a camera to those that are selected. */
export function CameraSelect({
  label,
  selected,
  cameras,
  error,
  onChange,
}: CamerasProps & { error?: string | undefined }) {
  const { t } = useLingui()
  return (
    <SelectField
      label={label}
      value=""
      error={error}
      {...useUnlisted(cameras)}
      options={[
        { value: '', label: selected.length === 0 ? t`All cameras` : t`Add a camera…` },
        ...cameras.items
          .filter(({ uid }) => !selected.includes(uid))
          .map(({ uid, name }) => ({ value: uid, label: name || uid })),
      ]}
      onChange={(uid) => uid !== '' && onChange([...selected, uid])}
    />
  )
}

/** The selected cameras, each with a button that removes it. */
export function CameraChips({ label, selected, cameras, onChange }: CamerasProps) {
  const nameOf = (uid: string) => cameras.items.find((camera) => camera.uid === uid)?.name || uid
  return (
    <Chips
      label={label}
      items={selected.map((id) => ({ id, name: nameOf(id) }))}
      onRemove={(id) => onChange(selected.filter((one) => one !== id))}
    />
  )
}
