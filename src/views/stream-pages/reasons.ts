import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { apiErrorText } from '../../i18n/errors.ts'

/** Why a source failed, by error code or by the server's English text. */
export const reasons: Readonly<Record<string, MessageDescriptor>> = {
  EHOSTUNREACH: msg`Nothing answers at this address. Check the address, and the camera's power and network.`,
  HTTP_NOT_FOUND: msg`The camera answers, but has nothing at this path. Check the path of the source.`,
  HTTP_UNAUTHORIZED: msg`The camera doesn't accept this login and password.`,
  ProbeError: msg`The server connected to the address, but found no readable video there.`,
  NoResponse: msg`The server didn't respond in time. A slow camera may need a second attempt.`,
  'Not an ONVIF camera': msg`The device at this address doesn't answer as an ONVIF camera.`,
  'The camera answered with a fault': msg`The camera refuses to answer. Check that ONVIF is on in its settings.`,
  'The source has no video': msg`The source has no video.`,
  'The source stopped sending': msg`The source stopped sending.`,
  'The source sends no keyframes': msg`The source sends no keyframes. Set their interval to a minute or less.`,
  'The source sends too much at once': msg`The source sends too much at once. Lower the bit rate in the camera.`,
  'The source changed what it sends': msg`The source keeps changing what it sends.`,
  'The connection was lost': msg`The connection to the source was lost.`,
  'The disk is full': msg`The server's disk is full.`,
  'The node is drained': msg`The node is drained: it records nothing until an administrator returns it to the cluster.`,
  'Not an address': msg`This isn't an address.`,
  'This kind of address is not supported': msg`This kind of address is not supported.`,
  'The address has no host': msg`The address has no host.`,
  'Put login and password in their own fields': msg`Passwords in an address can't contain #, / or ?. Use the fields.`,
}

const ofSubstream = 'Substream: '

/** Translates the error code or text of a source or its substream; '' stays ''. */
export function useReason(): (code: string) => string {
  const { i18n, t } = useLingui()
  const reasonOf = (code: string): string => {
    const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined
    if (known !== undefined) return i18n._(known)
    const { message, code: unknown } = apiErrorText(code)
    return unknown === '' && code !== '' ? i18n._(message) : code
  }
  return (code) => {
    if (!code.startsWith(ofSubstream)) return reasonOf(code)
    const reason = reasonOf(code.slice(ofSubstream.length))
    return t`Substream: ${reason}`
  }
}
