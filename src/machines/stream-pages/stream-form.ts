import type { Stream } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { type Cluster, isDescribed, type Limits, streamRules, type StreamValues, valuesOf } from './stream-values.ts'

/** The response replaces the saved values, unless it has only the stream's uid. */
export const streamSettingsForm = formMachineOf<StreamValues, Stream, Limits & Cluster>({
  ...streamRules,
  afterSave: (answer, _before, settings) => (isDescribed(answer) ? valuesOf(answer, settings) : {}),
})
export const newStreamForm = formMachineOf<StreamValues, { uid: string }, Limits & Cluster>(streamRules)

const fields = [
  'tags',
  'name',
  'streamSource',
  'substreamSource',
  'location.name',
  'meta.marker',
  'archive.isEnable',
  'archive.depthHours',
  'archive.quotaBytes',
  'live.onDemand',
  'onvif.url',
  'node.id',
]

/** Moves the error of a part of a field (`tags.0`), or of an object (`archive`), to its form field. */
export function withFieldErrors<T>(reply: Reply<T>): Reply<T> {
  if (reply.ok || reply.apiError.code !== 'ValidationError') return reply
  const details = Object.fromEntries(
    Object.entries(reply.apiError.details).map(([path, message]) => [fieldOf(path), message]),
  )
  return { ok: false, apiError: { ...reply.apiError, details } }
}

const fieldOf = (path: string): string =>
  fields.find((field) => path === field || path.startsWith(`${field}.`)) ??
  fields.find((field) => field.startsWith(`${path}.`)) ??
  path
