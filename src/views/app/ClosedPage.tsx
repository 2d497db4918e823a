import { Trans, useLingui } from '@lingui/react/macro'
import { Compass, Lock } from 'lucide-react'
import { selectRoute } from '../../machines/app/app.selectors.ts'
import { routeOf } from '../../machines/app/routes.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { StatePanel } from '../ui/State.tsx'
import { useApp } from './console.ts'

export function Forbidden() {
  const { t } = useLingui()
  const { name } = useApp(selectRoute)
  return (
    <StatePanel
      isWholePage={routeOf(name).header !== 'title'}
      icon={<Lock size={20} />}
      title={t`You don't have access`}
      actions={<ButtonLink href="/streams">{t`All streams`}</ButtonLink>}
    >
      <Trans>This page is for administrators. Ask one of them if you need access.</Trans>
    </StatePanel>
  )
}

export function Missing() {
  const { t } = useLingui()
  return (
    <StatePanel
      isWholePage
      icon={<Compass size={20} />}
      title={t`Page not found`}
      actions={<ButtonLink href="/" variant="primary">{t`Go to all streams`}</ButtonLink>}
    >
      <Trans>There is no such page, or it was deleted, or you have no access to it.</Trans>
    </StatePanel>
  )
}
