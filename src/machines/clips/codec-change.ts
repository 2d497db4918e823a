import type { ApiError } from '../../api/reply.ts'

/**
 * The moment (epoch ms) of a codec change, for which a range can't be one file (docs/wire.md §5.3); null: another
 * error.
 */
export function codecChangeOf({ code, details }: ApiError): number | null {
  const [, time = ''] = /^The codec changes at (\S+): /.exec(String(details['end_time'])) ?? []
  const moment = Date.parse(time)
  return code !== 'ValidationError' || Number.isNaN(moment) ? null : moment
}
