/**
 * `signal` stops a task; `report` prints what it does; `onProgress` is called while it counts: recordings of a backup,
 * chunks of a restored volume.
 */
export type TaskControl = {
  signal: AbortSignal
  report: (line: string) => void
  onProgress: (progress: { done: number; of: number }) => void
}
