import { reasonsIn } from '../stream-pages/locked-reasons.ts'
import type { BulkOutcome } from './bulk.events.ts'

/** The reasons of the locks for which streams weren't deleted, by uid. */
export const lockReasonsIn = (outcomes: ReadonlyMap<string, BulkOutcome>): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...outcomes]
      .map(([uid, outcome]) => [uid, outcome.kind === 'refused' ? reasonsIn(outcome.apiError.details) : []] as const)
      .filter(([, reasons]) => reasons.length > 0),
  )
