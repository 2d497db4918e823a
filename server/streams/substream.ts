import type { AnnotationStore } from '../archive/events/annotations.ts'
import type { Recording } from '../archive/index/recordings.ts'
import type { StreamLogs } from './logs.ts'
import type { StreamRow, StreamStore } from './stream-store.ts'

const suffix = '.sub'

/** The name of the substream's recording, in the index and as a folder. No id of a stream has a dot. */
export const subOf = (uid: string): string => `${uid}${suffix}`

export const isSub = (recording: string): boolean => recording.endsWith(suffix)

export const streamOf = (recording: string): string =>
  isSub(recording) ? recording.slice(0, -suffix.length) : recording

/** The substream as a stream of its own: it is recorded like the main one, from its own source. */
const subRow = (row: StreamRow): StreamRow | undefined => {
  const { substreamSource = '' } = row
  return substreamSource === '' ? undefined : { ...row, uid: subOf(row.uid), source: substreamSource }
}

export const rowOfRecording = (store: StreamStore, recording: string): StreamRow | undefined => {
  const row = store.find(streamOf(recording))
  return row === undefined || !isSub(recording) ? row : subRow(row)
}

/** Logs in which the lines of a substream go to the log of its stream, with a prefix. */
export const prefixedLogs = (logs: StreamLogs): StreamLogs => ({
  ...logs,
  write: (recording, level, message) => {
    logs.write(streamOf(recording), level, isSub(recording) ? `Substream: ${message}` : message)
  },
})

const ignore = async (): Promise<void> => undefined

/** Only the outages of the stream itself are annotated, as the timeline shows these. */
export const annotationsOf = (annotations: AnnotationStore, recording: string): AnnotationStore =>
  isSub(recording) ? { ...annotations, openStatus: ignore, closeStatus: ignore } : annotations

/** The recordings of a stream that the index has, even if the stream or its substream is removed. */
export const recordingsOf = async (
  index: { recording: (uid: string) => Promise<Recording | undefined> },
  uid: string,
): Promise<string[]> => {
  const found: string[] = []
  for (const recording of [uid, subOf(uid)]) if ((await index.recording(recording)) !== undefined) found.push(recording)
  return found
}

type Period = { startTime: number; endTime: number }

/** From the first to the last moment that is recorded of a stream or its substream; null if nothing is. */
export const periodOfBoth = async (
  index: Parameters<typeof recordingsOf>[0] & { period: (uid: string) => Promise<Period | undefined> },
  uid: string,
): Promise<Period | null> => {
  const all = await Promise.all((await recordingsOf(index, uid)).map((each) => index.period(each)))
  const periods = all.flatMap((period) => period ?? [])
  if (periods.length === 0) return null
  return {
    startTime: Math.min(...periods.map(({ startTime }) => startTime)),
    endTime: Math.max(...periods.map(({ endTime }) => endTime)),
  }
}

/** The paths of each recording's media below a stream's archive. */
export const recordingPaths: readonly { path: string; recordingOf: (uid: string) => string }[] = [
  { path: '', recordingOf: (uid) => uid },
  { path: 'sub/', recordingOf: subOf },
]
