import { fromCallback } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { unknownApiError } from '../../machines/api-errors.ts'
import type { BulkJob } from '../../machines/streams/bulk.events.ts'
import { bulkMachine } from '../../machines/streams/bulk.machine.ts'
import { gatheringMachine } from '../../machines/streams/gathering.machine.ts'
import { pagesActor } from './list-pages.ts'

/** Runs a job on a stream; the code of the calls is loaded with the first job. */
async function perform(stream: Stream, job: BulkJob, signal: AbortSignal): Promise<Reply<Stream | null>> {
  const jobs = await import('./bulk-job.ts')
  return jobs.perform(stream, job, signal)
}

export const bulk = bulkMachine.provide({
  actors: {
    gathering: gatheringMachine.provide({ actors: { fetchPages: pagesActor } }),
    work: fromCallback(({ input: { stream, job }, sendBack }) => {
      const controller = new AbortController()
      void perform(stream, job, controller.signal)
        .catch((): Reply<null> => ({ ok: false, apiError: unknownApiError }))
        .then((reply) =>
          controller.signal.aborted ? undefined : sendBack({ type: 'work.ended', uid: stream.uid, reply }),
        )
      return () => controller.abort()
    }),
  },
})
