import type { Stream } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { formMachineOf } from '../form/form.machine.ts'
import type { StreamValues } from './stream-values.ts'

export const streamSettingsForm = formMachineOf<StreamValues, Stream>()
export const newStreamForm = formMachineOf<StreamValues, { uid: string }>()

const groups = [
  'tags',
  'name',
  'streamSource',
  'location.name',
  'meta.marker',
  'archive.isEnable',
  'archive.depthHours',
  'live.onDemand',
  'node.id',
]

/** Lands what a server says of a part (`tags.0`) or of a whole (`archive`) beside the field that has it. */
export function mapped<T>(reply: Reply<T>): Reply<T> {
  if (reply.ok || reply.apiError.code !== 'ValidationError') return reply
  const details = Object.fromEntries(
    Object.entries(reply.apiError.details).map(([path, message]) => [fieldOf(path), message]),
  )
  return { ok: false, apiError: { ...reply.apiError, details } }
}

const fieldOf = (path: string): string =>
  groups.find((field) => path === field || path.startsWith(`${field}.`)) ??
  groups.find((field) => field.startsWith(`${path}.`)) ??
  path
