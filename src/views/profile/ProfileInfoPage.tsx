import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Pencil } from 'lucide-react'
import { selectUser } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'
import styles from '../people/people.module.css'
import { languageName, useRole } from '../people/words.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'

export function ProfileInfoPage() {
  const { t } = useLingui()
  const user = useApp(selectUser)
  const roleOf = useRole()
  if (user === null) return null
  const { name, fullName, email, language, isManaged, isAdmin, maxStreamCreation: limit } = user
  return (
    <Page
      isOwnTitle
      title={fullName || name}
      width="narrow"
      actions={<ButtonLink href="/profile/me/edit" icon={<Pencil size={16} />}>{t`Edit profile`}</ButtonLink>}
    >
      <dl className={`${styles.panel} ${styles.facts}`}>
        <dt>{t`Login`}</dt>
        <dd>{name}</dd>
        <dt>{t`Full name`}</dt>
        <dd>{fullName || '–'}</dd>
        <dt>{t`Email`}</dt>
        <dd>{email || '–'}</dd>
        <dt>{t`Language`}</dt>
        <dd>{language === '' ? t`As in the browser` : languageName(language)}</dd>
        <dt>{t`Role`}</dt>
        <dd>{roleOf(user)}</dd>
        <dt>{t`Streams you may add`}</dt>
        <dd>
          {isAdmin || limit < 0 ? (
            t`Without limit`
          ) : limit === 0 ? (
            t`None: you watch what others add`
          ) : (
            <Plural value={limit} one="At most # stream" other="At most # streams" />
          )}
        </dd>
      </dl>
      {isManaged && (
        <p className={styles.muted}>
          <Trans>Your login, email and password come from another system and are changed there.</Trans>
        </p>
      )}
    </Page>
  )
}
