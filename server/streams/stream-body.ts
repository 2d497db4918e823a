import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import type { StreamBody } from '../../src/api/contract/stream.ts'
import type { ServerSettings } from '../context.ts'
import { validationError } from '../http/api-error.ts'
import { isForbiddenHost } from '../media/address.ts'
import { isMasked, parseSource, restoreCredentials, withoutCredentials } from '../media/source.ts'
import { deviceUrlOf } from '../onvif/device-url.ts'
import type { StreamRow } from './stream-store.ts'

type Body = z.output<typeof StreamBody>

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

/** Throws if the source is invalid or its host forbidden. A host that doesn't resolve is accepted. */
const checkSource = async (text: string, allowLoopback: boolean, field = 'streamSource'): Promise<void> => {
  const source = parseSource(text)
  if (typeof source === 'string') throw validationError({ [field]: source })
  if (isMasked(text)) throw validationError({ [field]: 'Enter the login and password again' })
  if (source.kind === 'demo') return
  if (await isForbiddenHost(source.host, allowLoopback))
    throw validationError({ [field]: 'This address is not allowed as a source' })
}

/** Where the camera's ONVIF device service is; null if it has none. */
const onvifOf = async (
  { onvif }: Body,
  before: StreamRow,
  allowLoopback: boolean,
): Promise<NonNullable<StreamRow['onvif']> | null> => {
  if (onvif === undefined) return before.onvif ?? null
  if (onvif.url === '') return null
  const typed = onvif.url.includes('://') ? onvif.url : `http://${onvif.url}`
  const url = restoreCredentials(restoreCredentials(typed, before.onvif?.url ?? ''), before.source)
  if (deviceUrlOf(withoutCredentials(url)) === undefined || typeof parseSource(url) === 'string')
    throw validationError({ 'onvif.url': 'Not an address' })
  await checkSource(url, allowLoopback, 'onvif.url')
  return { url, profile: onvif.profile }
}

/** A stream as a body changes it; fields that the body lacks stay. Throws for the first invalid field. */
export const applyBody = async (
  body: Body,
  before: StreamRow,
  settings: ServerSettings,
  allowLoopback: boolean,
): Promise<StreamRow> => {
  const source = restoreCredentials(body.streamSource, before.source)
  await checkSource(source, allowLoopback)
  const substreamSource =
    body.substreamSource === undefined
      ? (before.substreamSource ?? '')
      : restoreCredentials(restoreCredentials(body.substreamSource, before.substreamSource ?? ''), before.source)
  if (substreamSource !== '') await checkSource(substreamSource, allowLoopback, 'substreamSource')
  const depthHours = body.archive?.depthHours ?? before.depthHours
  if (depthHours <= 0 && depthHours !== -1)
    throw validationError({ 'archive.depthHours': 'Enter hours above 0, or -1 for no limit' })
  const maxHours = settings.archiveMaxDepthHours
  const isAboveLimit = maxHours !== -1 && (depthHours === -1 || depthHours > maxHours)
  const isChanged = before.source === '' ? body.archive?.depthHours !== undefined : depthHours !== before.depthHours
  // Retention applies the limit to an unchanged depth, too.
  if (isAboveLimit && isChanged) {
    throw validationError({ 'archive.depthHours': `At most ${maxHours} hours` })
  }
  const quotaBytes = body.archive?.quotaBytes ?? before.quotaBytes ?? -1
  if (quotaBytes < 0 && quotaBytes !== -1) {
    throw validationError({ 'archive.quotaBytes': 'Enter bytes, or -1 for no quota' })
  }
  const onvif = await onvifOf(body, before, allowLoopback)
  return {
    ...before,
    onvif,
    name: body.name,
    source,
    substreamSource,
    tags: body.tags === undefined ? before.tags : unique(body.tags),
    location: body.location?.name ?? before.location,
    marker: body.meta?.marker ?? before.marker,
    isArchived: body.archive?.isEnable ?? before.isArchived,
    depthHours,
    quotaBytes: quotaBytes === -1 ? null : quotaBytes,
    isOnDemand: body.live?.onDemand ?? before.isOnDemand,
  }
}

/** `stored` with the fields in which `changed` differs from `before`. */
export const withChanges = (stored: StreamRow, before: StreamRow, changed: StreamRow): StreamRow => {
  const fields = Object.entries(changed).filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(before, name)))
  return { ...stored, ...Object.fromEntries(fields) }
}
