import { useLingui } from '@lingui/react/macro'
import type { User } from '../../api/contract/user.ts'
import { languages } from '../../i18n/i18n.ts'
import type { Right } from '../../machines/permissions/rights.ts'

export type RightNames = Readonly<Record<Right, string>>

/** The names of the permissions on a stream, on the pages of streams, users and groups (docs/behaviour.md §12). */
export function useRightNames(): RightNames {
  const { t } = useLingui()
  return {
    canView: t`Live`,
    canViewArchive: t`Archive`,
    canDownload: t({ message: 'Download', context: 'permission' }),
    canAdmin: t`Administer`,
  }
}

/** The role of a user (docs/behaviour.md §1). */
export function useRole(): (user: Pick<User, 'isAdmin' | 'maxStreamCreation'>) => string {
  const { t } = useLingui()
  return ({ isAdmin, maxStreamCreation }) => {
    if (isAdmin) return t`Administrator`
    return maxStreamCreation === 0 ? t`Read-only` : t`User`
  }
}

/** The options of a language field: the browser's language, the console's, and a stored one that it doesn't have. */
export function useLanguageOptions(chosen: string): readonly { value: string; label: string }[] {
  const { t } = useLingui()
  const known = [
    { value: '', label: t`Same as the browser` },
    ...languages.map(({ code, name }) => ({ value: code, label: name })),
  ]
  return known.some(({ value }) => value === chosen) ? known : [...known, { value: chosen, label: chosen }]
}

export function languageName(code: string): string {
  return languages.find((language) => language.code === code)?.name ?? code
}
