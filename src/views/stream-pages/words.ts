import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { apiErrorText } from '../../i18n/errors.ts'
import type { ApiError } from '../../api/reply.ts'
import type { FieldErrors } from '../../machines/form/form.events.ts'
import { useFieldError } from '../ui/field-errors.ts'
import { serverText } from '../ui/server-words.ts'
import { reasons, useReason } from './reasons.ts'

const fieldTexts: Readonly<Record<string, MessageDescriptor>> = {
  sourceInvalid: msg`Enter an address like rtsp://camera.example/stream`,
  credentialsHidden: msg`Enter login and password again: the stored ones are for one camera only`,
  depthInvalid: msg`Enter a number of hours above 0, or leave empty for no limit`,
  depthTooLong: msg`This is more than the server keeps`,
  quotaInvalid: msg`Enter a number of GB above 0, or leave empty for no limit`,
  quotaTooLarge: msg`This is too much: enter GB, not bytes`,
}

/** Translates why a source failed, and the server's texts for single fields. */
function useFieldReason(): (code: string) => string {
  const { i18n } = useLingui()
  const reasonOf = useReason()
  return (code) => {
    const words = Object.hasOwn(reasons, code) ? undefined : serverText(code)
    return words === undefined ? reasonOf(code) : i18n._(words)
  }
}

/** Uses the reason in a ProbeError and the field texts of a ValidationError, if there are any. */
export function useProbeApiError(): (apiError: ApiError) => string {
  const { i18n } = useLingui()
  const reasonOf = useFieldReason()
  return ({ code, message, details }) => {
    const { reason } = { reason: message, ...details }
    if (code === 'ProbeError' && typeof reason === 'string' && reason !== '') return reasonOf(reason)
    const wrong = Object.values(details).filter((text) => typeof text === 'string')
    if (code === 'ValidationError' && wrong.length > 0) return wrong.map(reasonOf).join('; ')
    return code === '' ? i18n._(apiErrorText('').message) : reasonOf(code)
  }
}

export function useStreamFieldError(errors: FieldErrors): (field: string) => string | undefined {
  const { i18n } = useLingui()
  const reasonOf = useFieldReason()
  const common = useFieldError(errors)
  return (field) => {
    const error = errors[field]
    if (error === undefined) return undefined
    const own = Object.hasOwn(fieldTexts, error) ? fieldTexts[error] : undefined
    if (own !== undefined) return i18n._(own)
    return Object.hasOwn(reasons, error) ? reasonOf(error) : common(field)
  }
}
