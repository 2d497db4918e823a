import { useLingui } from '@lingui/react/macro'
import type { Mask } from '../../api/contract/masks.ts'
import { formatPercent } from '../../i18n/formats.ts'

const percent = (share: number): string => formatPercent(share, 1)

/** The name of a mask by its position in the list, and its numbers. */
export function useMaskWords() {
  const { t } = useLingui()
  return {
    nameOf: (index: number): string => t`Mask ${index + 1}`,
    numbersOf: ({ x, y, w, h }: Mask): string =>
      t`left ${percent(x)}, top ${percent(y)}, width ${percent(w)}, height ${percent(h)}`,
  }
}
