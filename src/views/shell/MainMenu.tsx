import { useLingui } from '@lingui/react/macro'
import { Menu as MenuIcon } from 'lucide-react'
import { Menu } from '../ui/Menu.tsx'
import { overlays } from '../ui/overlays.ts'
import { useDeferred } from '../ui/deferred.ts'
import { useOpenHere } from './open-here.ts'

export function MainMenu() {
  const { t } = useLingui()
  const [isOpen, setOpen] = useOpenHere()
  const parts = useDeferred(overlays, isOpen)
  return (
    <Menu isOpen={isOpen} onOpenChange={setOpen} label={t`Menu`} trigger={<MenuIcon size={20} aria-hidden="true" />}>
      {parts !== null && <parts.MainMenuItems />}
    </Menu>
  )
}
