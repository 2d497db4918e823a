import type { ApiError } from '../../api/reply.ts'

/**
 * The moment of a codec change, if that is why the server refuses to make one file of a range (docs/wire.md §5.3); null
 * for any other error.
 */
export function codecChangeOf({ code, details }: ApiError): number | null {
  const [, time = ''] = /^The codec changes at (\S+): /.exec(String(details['end_time'])) ?? []
  const moment = Date.parse(time)
  return code !== 'ValidationError' || Number.isNaN(moment) ? null : moment
}
