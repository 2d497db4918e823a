import { useLingui } from '@lingui/react/macro'
import type { User } from '../../api/contract/user.ts'
import { languages } from '../../i18n/i18n.ts'

/** Words for what a user may do (docs/behaviour.md §1). */
export function useRole(): (user: Pick<User, 'isAdmin' | 'maxStreamCreation'>) => string {
  const { t } = useLingui()
  return ({ isAdmin, maxStreamCreation }) => {
    if (isAdmin) return t`Administrator`
    return maxStreamCreation === 0 ? t`Read-only` : t`User`
  }
}

/** What a language field offers: the console's languages, the browser's own, and one that only the server knows. */
export function useLanguageOptions(chosen: string): readonly { value: string; label: string }[] {
  const { t } = useLingui()
  const known = [
    { value: '', label: t`As in the browser` },
    ...languages.map(({ code, name }) => ({ value: code, label: name })),
  ]
  return known.some(({ value }) => value === chosen) ? known : [...known, { value: chosen, label: chosen }]
}

export function languageName(code: string): string {
  return languages.find((language) => language.code === code)?.name ?? code
}
