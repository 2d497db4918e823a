import { useLingui } from '@lingui/react/macro'
import { cameraLabels, labelWord } from '../timeline/type-words.ts'

/**
 * `nameOf`: a label as events show it, those of cameras' own events in the user's language. `labelOf`: the label of
 * such a name, or the name itself.
 */
export function useLabelNames() {
  const { i18n } = useLingui()
  return {
    nameOf: (label: string): string => {
      const word = labelWord(label)
      return word === undefined ? label : i18n._(word)
    },
    labelOf: (name: string): string => {
      const typed = name.toLowerCase()
      const known = Object.entries(cameraLabels).find(([, word]) => i18n._(word).toLowerCase() === typed)
      return known?.[0] ?? name
    },
  }
}

/** Changes each label of a list, also while it is being typed: separators and white space stay. */
export const inLabelList = (list: string, change: (label: string) => string): string =>
  list.replaceAll(/[^\s,](?:[^,]*[^\s,])?/g, change)
