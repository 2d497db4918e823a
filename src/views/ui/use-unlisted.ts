import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '../../i18n/formats.ts'

interface Listed {
  /** The listed streams. */
  items: readonly unknown[]
  total: number
}

/** The help of a field that lists only the first streams; none if it lists all. */
export function useUnlisted({ items, total }: Listed): { help?: string } {
  const { t } = useLingui()
  if (items.length >= total) return {}
  const [listed, all] = [formatNumber(items.length), formatNumber(total)]
  return { help: t`Only ${listed} of ${all} streams are listed.` }
}
