import { useLingui } from '@lingui/react/macro'
import { fieldText } from '../../i18n/errors.ts'
import type { FieldErrors } from '../../machines/form/form.machine.ts'

/** Words for what is wrong with a field: the catalogue's for a known code, else the server's own. */
export function useFieldError(errors: FieldErrors): (field: string) => string | undefined {
  const { i18n } = useLingui()
  return (field) => {
    const error = errors[field]
    if (error === undefined) return undefined
    const known = fieldText(error)
    return known === undefined ? error : i18n._(known)
  }
}
