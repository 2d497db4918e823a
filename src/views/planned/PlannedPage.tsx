import { useLingui } from '@lingui/react/macro'
import { Hammer } from 'lucide-react'
import { titles } from '../../i18n/titles.ts'
import { selectRoute } from '../../machines/app/app.selectors.ts'
import { routeOf } from '../../machines/app/routes.ts'
import { useApp } from '../app/console.ts'
import { StatePanel } from '../ui/State.tsx'
import { purposes } from './purposes.ts'

/** A screen whose content is still to come: its title, and what it will be for. */
export function PlannedPage() {
  const { t } = useLingui()
  const { title } = routeOf(useApp(selectRoute).name)
  const purpose = purposes[title]
  return (
    <StatePanel icon={<Hammer size={20} />} title={t`Still to come`}>
      {purpose === undefined ? t(titles[title]) : t(purpose)}
    </StatePanel>
  )
}
