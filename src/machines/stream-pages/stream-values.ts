import type { Settings } from '../../api/contract/settings.ts'
import type { Stream, StreamBody } from '../../api/contract/stream.ts'
import type { FieldErrors } from '../form/form.events.ts'
import type { FormRules } from '../form/form.context.ts'
import { fullSources, hasHiddenCredentials, sourceFields } from './source-credentials.ts'

/** Named by the field paths of the wire, so that a ValidationError finds its field (docs/wire.md §2). */
export interface StreamValues {
  uid: string
  name: string
  /** URLs without the credentials in `login` and `password`. */
  streamSource: string
  substreamSource: string
  login: string
  password: string
  /** Of `Sources`. */
  originalSource?: string
  originalSubstream?: string
  tags: readonly string[]
  'location.name': string
  'meta.marker': string
  'archive.isEnable': boolean
  /** Hours, as typed; '' for no limit. */
  'archive.depthHours': string
  /** GB, as typed; '' for no limit. */
  'archive.quotaBytes': string
  'live.onDemand': boolean
  /** Where the camera answers by ONVIF, and its profile; '' without. */
  'onvif.url': string
  'onvif.profile': string
  /** '' outside of a cluster, and if the server chooses the node. */
  'node.id': string
}

/** Codes of errors of the source, shown beside it. */
export const fieldOfCode = {
  ProbeError: 'streamSource',
  EHOSTUNREACH: 'streamSource',
  HTTP_NOT_FOUND: 'streamSource',
  HTTP_UNAUTHORIZED: 'streamSource',
  ACCESS_DENIED_ERR: 'streamSource',
} as const

const unlimited = -1

const depthText = (hours: number) => (hours === unlimited ? '' : String(hours))
const numberIn = (text: string) => Number(text.trim().replace(',', '.'))
const depthHours = (text: string) => (text.trim() === '' ? unlimited : numberIn(text))

const bytesPerGb = 1e9
const quotaText = (bytes = unlimited) => (bytes === unlimited ? '' : String(bytes / bytesPerGb))
const quotaBytes = (text: string) => (text.trim() === '' ? unlimited : Math.round(numberIn(text) * bytesPerGb))

export type Limits = Pick<Settings, 'archiveMaxDepthHours'>
export type Cluster = Pick<Settings, 'clusterEnabled'>

/** A new stream is recorded for as long as the server allows, by the node that the server chooses. */
export const newStreamValues = ({ archiveMaxDepthHours }: Limits): StreamValues => ({
  uid: '',
  name: '',
  streamSource: '',
  substreamSource: '',
  login: '',
  password: '',
  tags: [],
  'location.name': '',
  'meta.marker': '',
  'archive.isEnable': true,
  'archive.depthHours': depthText(archiveMaxDepthHours),
  'archive.quotaBytes': '',
  'live.onDemand': false,
  'onvif.url': '',
  'onvif.profile': '',
  'node.id': '',
})

export const valuesOf = (stream: Stream, { clusterEnabled }: Cluster): StreamValues => ({
  uid: stream.uid,
  name: stream.name,
  ...sourceFields(stream.streamSource, stream.substreamSource ?? ''),
  tags: stream.tags,
  'location.name': stream.location.name,
  'meta.marker': stream.meta.marker,
  'archive.isEnable': stream.archive.isEnable,
  'archive.depthHours': depthText(stream.archive.depthHours),
  'archive.quotaBytes': quotaText(stream.archive.quotaBytes),
  'live.onDemand': stream.live.onDemand,
  'onvif.url': stream.onvif?.url ?? '',
  'onvif.profile': stream.onvif?.profile ?? '',
  'node.id': clusterEnabled ? stream.node.id : '',
})

/** Whether the response to a save contains the saved stream, which always has a name. */
export const isDescribed = ({ name }: Stream): boolean => name !== ''

/** `substreamSource` and `onvif` are left out unless the stream has them, or had them. */
export const streamBodyOf = (values: StreamValues, saved?: StreamValues): StreamBody => ({
  name: values.name.trim(),
  ...sourcesOf(values, saved),
  tags: [...values.tags],
  location: { name: values['location.name'].trim() },
  archive: archiveOf(withShownLimits(values, saved), saved),
  live: { onDemand: values['live.onDemand'] },
  meta: { marker: values['meta.marker'] },
  ...onvifOf(values, saved),
  // The node that records may have changed since: sent back, the stream would be pinned to the one before.
  ...(values['node.id'] === (saved?.['node.id'] ?? '') ? {} : { node: { id: values['node.id'] } }),
})

/** Only a changed quota is sent, as other servers may have none; -1 removes it. */
function archiveOf(values: StreamValues, saved?: StreamValues): StreamBody['archive'] {
  const quota = quotaBytes(values['archive.quotaBytes'])
  return {
    isEnable: values['archive.isEnable'],
    depthHours: depthHours(values['archive.depthHours']),
    ...(quota === quotaBytes(saved?.['archive.quotaBytes'] ?? '') ? {} : { quotaBytes: quota }),
  }
}

/** Without recording the fields of depth and quota are hidden, with their mistakes: both stay as they were. */
export function withShownLimits(values: StreamValues, saved = values): StreamValues {
  if (values['archive.isEnable']) return values
  const { 'archive.depthHours': depth, 'archive.quotaBytes': quota } = saved
  return { ...values, 'archive.depthHours': depth, 'archive.quotaBytes': quota }
}

function onvifOf(values: StreamValues, saved?: StreamValues): Pick<StreamBody, 'onvif'> {
  const url = values['onvif.url'].trim()
  const isKept = url === '' && (saved === undefined || saved['onvif.url'] === '')
  return isKept ? {} : { onvif: { url, profile: values['onvif.profile'] } }
}

function sourcesOf(values: StreamValues, saved?: StreamValues) {
  const { streamSource, substreamSource } = fullSources(values)
  const hasSubstream = substreamSource !== '' || (saved !== undefined && saved.substreamSource !== '')
  return hasSubstream ? { streamSource, substreamSource } : { streamSource }
}

/** Error codes by field (docs/behaviour.md §6). What is unchanged isn't checked for its length or form. */
export function validateStream(
  values: StreamValues,
  saved: StreamValues,
  { archiveMaxDepthHours }: Limits,
): FieldErrors {
  const errors: Record<string, string> = {}
  const name = values.name.trim()
  if (name === '') errors['name'] = 'required'
  if (name.length > 200 && name !== saved.name.trim()) errors['name'] = 'tooLong'
  const [full, before] = [fullSources(values), fullSources(saved)]
  if (full.streamSource === '') errors['streamSource'] = 'required'
  for (const field of ['streamSource', 'substreamSource'] as const) {
    const problem = sourceProblem(full[field], before[field])
    if (problem !== null) errors[field] = problem
  }
  const depth = depthHours(values['archive.depthHours'])
  const isChanged = values['archive.depthHours'] !== saved['archive.depthHours']
  if (values['archive.isEnable'] && isChanged) {
    if (!Number.isFinite(depth) || (depth <= 0 && depth !== unlimited)) errors['archive.depthHours'] = 'depthInvalid'
    else if (archiveMaxDepthHours !== unlimited && (depth === unlimited || depth > archiveMaxDepthHours))
      errors['archive.depthHours'] = 'depthTooLong'
  }
  const quotaError = quotaProblem(values['archive.quotaBytes'], saved['archive.quotaBytes'])
  if (values['archive.isEnable'] && quotaError !== null) errors['archive.quotaBytes'] = quotaError
  return errors
}

function quotaProblem(quota: string, saved: string): string | null {
  if (quota.trim() === '' || quota === saved) return null
  const bytes = quotaBytes(quota)
  if (!(bytes > 0)) return 'quotaInvalid'
  return Number.isSafeInteger(bytes) ? null : 'quotaTooLarge'
}

/**
 * Whether the browser may store a source as a draft: without credentials, and without parameters in its query or path,
 * which may contain some.
 */
const mayBeStored = (source: string | undefined): source is string =>
  source !== undefined && source !== '' && !/[@?=]/.test(source)

export const streamRules: Omit<FormRules<StreamValues, never, Limits & Cluster>, 'afterSave'> = {
  fieldOfCode,
  validate: validateStream,
  draft: ({
    streamSource,
    substreamSource,
    'onvif.url': onvifUrl,
    login: _login,
    password: _password,
    originalSource: _originalSource,
    originalSubstream: _originalSubstream,
    ...rest
  }) => ({
    ...rest,
    ...(mayBeStored(onvifUrl) ? { 'onvif.url': onvifUrl } : {}),
    ...(mayBeStored(streamSource) ? { streamSource } : {}),
    ...(mayBeStored(substreamSource) ? { substreamSource } : {}),
  }),
}

/** `***` stands for credentials, which may only be sent to the host they belong to (docs/wire.md §5.2). */
function sourceProblem(source: string, saved: string): string | null {
  if (source === '' || source === saved) return null
  if (source.length > 4000) return 'tooLong'
  if (/\s/.test(source) || !/^[a-z][a-z0-9+.-]*:./i.test(source)) return 'sourceInvalid'
  if (!hasHiddenCredentials(source)) return null
  return hasHiddenCredentials(saved) && addressOf(source) === addressOf(saved) ? null : 'credentialsHidden'
}

const addressOf = (source: string) =>
  /^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@([^/?#]*)/i.exec(source)?.slice(1).join('').toLowerCase()

/** Suggests a name from the URL: the last specific part of its path, else its host. */
export function suggestedName(source: string): string {
  const match = /^[a-z][a-z0-9+.-]*:(?:\/\/(?:[^/?#@]*@)?([^/?#:]*)[^/?#]*)?([^?#]*)/i.exec(source.trim())
  if (match === null) return ''
  const parts = (match[2] ?? '')
    .split('/')
    .map((part) => part.replace(/\.\w{2,4}$/, ''))
    .filter((part) => /[a-z]{3}/i.test(part) && !genericNames.has(part.toLowerCase()))
  return parts.at(-1) ?? match[1] ?? ''
}

const genericNames = new Set([
  'live',
  'stream',
  'index',
  'playlist',
  'video',
  'media',
  'hls',
  'main',
  'streaming',
  'channels',
  'stream1',
  'stream2',
  'mjpeg',
])
