import type { Stream, StreamBody } from '../../api/contract/stream.ts'
import { mapReply } from '../../api/map-reply.ts'
import type { Reply } from '../../api/reply.ts'
import { getStream, pauseStream, resumeStream } from '../../api/resources/stream.ts'
import { deleteStream, saveStream, withdrawShare } from '../../api/resources/stream-administration.ts'
import type { BulkJob } from '../../machines/streams/bulk.events.ts'
import { bodyWithCredentials } from '../../machines/streams/bulk-credentials.ts'
import { bodyWithTags } from '../../machines/streams/bulk-tags.ts'

/** Answers the changed stream; null after it was deleted. */
export async function perform(stream: Stream, job: BulkJob, signal: AbortSignal): Promise<Reply<Stream | null>> {
  const { uid } = stream
  switch (job.kind) {
    case 'pause':
      return mapReply(await pauseStream(uid, signal), ({ status }) => ({ ...stream, status: status || stream.status }))
    case 'resume':
      return mapReply(await resumeStream(uid, signal), ({ status }) => ({ ...stream, status: status || stream.status }))
    case 'unshare':
      return mapReply(await withdrawShare(uid, signal), () => ({
        ...stream,
        meta: { ...stream.meta, isShared: false },
      }))
    case 'delete': {
      const unlock = job.unlocked.includes(uid)
      return mapReply(await deleteStream(uid, { purge: job.purge, unlock }, signal), () => null)
    }
    case 'tag':
    case 'credentials': {
      const current = await getStream(uid, { extendLease: false }, signal)
      const body = current.ok ? bodyFor(current.value, job) : null
      if (body === null || !current.ok) return current
      return mapReply(await saveStream(uid, body, signal), (saved) =>
        saved.name === '' ? { ...current.value, tags: body.tags ?? current.value.tags } : saved,
      )
    }
  }
}

const bodyFor = (stream: Stream, job: Extract<BulkJob, { kind: 'tag' | 'credentials' }>): StreamBody | null =>
  job.kind === 'tag' ? bodyWithTags(stream, job) : bodyWithCredentials(stream, job)
