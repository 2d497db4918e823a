import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { apiErrorText } from '../../i18n/errors.ts'
import type { ApiError } from '../../api/reply.ts'
import type { FieldErrors } from '../../machines/form/form.events.ts'
import { useFieldError } from '../ui/field-errors.ts'
import { serverText } from '../ui/server-words.ts'

/** By error code, or by the text that the server sends. */
const reasons: Readonly<Record<string, MessageDescriptor>> = {
  EHOSTUNREACH: msg`Nothing answers at this address. Check the address, and the camera's power and network.`,
  HTTP_NOT_FOUND: msg`The camera answers, but has nothing at this path. Check the path of the source.`,
  HTTP_UNAUTHORIZED: msg`The camera doesn't accept this login and password.`,
  ACCESS_DENIED_ERR: msg`This address may not be used as a source.`,
  ProbeError: msg`The server connected to the address, but found no readable video there.`,
  NoResponse: msg`The server didn't respond in time. A slow camera may need a second attempt.`,
  'Not an ONVIF camera': msg`The device at this address doesn't answer as an ONVIF camera.`,
  'The camera answered with a fault': msg`The camera refuses to answer. Check that ONVIF is on in its settings.`,
  'The source has no video': msg`The source has no video.`,
  'The source stopped sending': msg`The source stopped sending.`,
  'The source sends no keyframes': msg`The source sends no keyframes. Set their interval to a minute or less.`,
  'The source sends too much at once': msg`The source sends too much at once. Lower the bit rate in the camera.`,
  'The connection was lost': msg`The connection to the source was lost.`,
  'The disk is full': msg`The server's disk is full.`,
  'The node is drained': msg`The node is drained: it records nothing until it is started again.`,
  'Not an address': msg`This isn't an address.`,
  'This kind of address is not supported': msg`This kind of address is not supported.`,
  'The address has no host': msg`The address has no host.`,
  'Put login and password in their own fields': msg`Passwords in an address can't contain #, / or ?. Use the fields.`,
}

const fields: Readonly<Record<string, MessageDescriptor>> = {
  sourceInvalid: msg`Enter an address like rtsp://camera.example/stream`,
  credentialsHidden: msg`Enter login and password again: the stored ones are for one camera only`,
  depthInvalid: msg`Enter a number of hours above 0, or leave empty for no limit`,
  depthTooLong: msg`This is more than the server keeps`,
}

const ofSubstream = 'Substream: '

/** Translates the error code or text of a source or its substream; '' stays ''. */
export function useReason(): (code: string) => string {
  const { i18n, t } = useLingui()
  const reasonOf = (code: string): string => {
    const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined
    if (known !== undefined) return i18n._(known)
    const { message, code: untranslated } = apiErrorText(code)
    if (untranslated === '' && code !== '') return i18n._(message)
    const words = serverText(code)
    return words === undefined ? code : i18n._(words)
  }
  return (code) => {
    if (!code.startsWith(ofSubstream)) return reasonOf(code)
    const reason = reasonOf(code.slice(ofSubstream.length))
    return t`Substream: ${reason}`
  }
}

/** Uses the reason in a ProbeError and the field texts of a ValidationError, if there are any. */
export function useProbeApiError(): (apiError: ApiError) => string {
  const { i18n } = useLingui()
  const reasonOf = useReason()
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
  const reasonOf = useReason()
  const common = useFieldError(errors)
  return (field) => {
    const error = errors[field]
    if (error === undefined) return undefined
    const own = Object.hasOwn(fields, error) ? fields[error] : undefined
    if (own !== undefined) return i18n._(own)
    return Object.hasOwn(reasons, error) ? reasonOf(error) : common(field)
  }
}
