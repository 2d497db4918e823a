/**
 * Some browsers forget an initialization segment when a source buffer is told to abort, as shaka does before it moves one; nothing
 * that follows is held then. Without `abort()` they play.
 */
export function keepHeads(): void {
  if ('SourceBuffer' in globalThis) SourceBuffer.prototype.abort = () => undefined
}
