import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '../../i18n/formats.ts'

interface Listed {
  items: readonly unknown[]
  total: number
}

/** The help of a field whose list has fewer streams than there are. */
export function useUnlisted({ items, total }: Listed): { help?: string } {
  const { t } = useLingui()
  if (items.length >= total) return {}
  const [listed, all] = [formatNumber(items.length), formatNumber(total)]
  return { help: t`Only ${listed} of ${all} streams are listed.` }
}
