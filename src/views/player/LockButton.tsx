import { useLingui } from '@lingui/react/macro'
import { Lock } from 'lucide-react'
import { IconButton } from '../ui/IconButton.tsx'

/** Locks the selected range. */
export function LockButton({ onPress }: { onPress: () => void }) {
  const { t } = useLingui()
  return <IconButton placement="top" label={t`Lock`} icon={<Lock size={16} />} onPress={onPress} />
}
