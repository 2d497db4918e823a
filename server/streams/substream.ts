import type { AnnotationStore } from '../archive/annotations.ts'
import type { SegmentIndex } from '../archive/segment-index.ts'
import type { StreamLogs } from './logs.ts'
import type { StreamRow, StreamStore } from './stream-store.ts'

const ending = '.sub'

/** The recording of a stream's substream, in the index and in folders; no id of a stream has a dot. */
export const subOf = (uid: string): string => `${uid}${ending}`

export const isSub = (recording: string): boolean => recording.endsWith(ending)

export const streamOf = (recording: string): string =>
  isSub(recording) ? recording.slice(0, -ending.length) : recording

/** The substream as a separate stream: recorded like the main one, from the other source. */
const subRow = (row: StreamRow): StreamRow | undefined => {
  const { substreamSource = '' } = row
  return substreamSource === '' ? undefined : { ...row, uid: subOf(row.uid), source: substreamSource }
}

export const rowOfRecording = (store: StreamStore, recording: string): StreamRow | undefined => {
  const row = store.find(streamOf(recording))
  return row === undefined || !isSub(recording) ? row : subRow(row)
}

/** A stream's log, in which lines of its substream are marked. */
export const pairLogs = (logs: StreamLogs): StreamLogs => ({
  ...logs,
  write: (recording, level, message) => {
    logs.write(streamOf(recording), level, isSub(recording) ? `Substream: ${message}` : message)
  },
})

const nothing = async (): Promise<void> => undefined

/** Outages are annotated of the stream itself: that is what a person sees on the timeline. */
export const annotationsOf = (annotations: AnnotationStore, recording: string): AnnotationStore =>
  isSub(recording) ? { ...annotations, openStatus: nothing, closeStatus: nothing } : annotations

/** The recordings of a stream that the index knows, also if the stream or its substream is gone. */
export const recordingsOf = async (index: SegmentIndex, uid: string): Promise<string[]> => {
  const found: string[] = []
  for (const recording of [uid, subOf(uid)]) if ((await index.recording(recording)) !== undefined) found.push(recording)
  return found
}

/** The paths of each recording's media below a stream's archive. */
export const recordingPaths: readonly { path: string; recordingOf: (uid: string) => string }[] = [
  { path: '', recordingOf: (uid) => uid },
  { path: 'sub/', recordingOf: subOf },
]
