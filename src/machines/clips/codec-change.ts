import type { ApiError } from '../../api/reply.ts'

/** When the codec changes in a range, for which no single file can be made (docs/wire.md §5.3); epoch milliseconds. */
export function codecChangeOf({ code, details }: ApiError): number | null {
  const [, time = ''] = /^The codec changes at (\S+): /.exec(String(details['end_time'])) ?? []
  const moment = Date.parse(time)
  return code !== 'ValidationError' || Number.isNaN(moment) ? null : moment
}
