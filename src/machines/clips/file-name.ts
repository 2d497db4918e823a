import { fileText } from '../player/local-text.ts'
import type { Download } from './clips.machine.ts'

/**
 * The name of a downloaded file: the server's, else the stream's name and the local start time. A part gets its number
 * before the extension.
 */
export function clipFileName({ name, from, zone, part, parts }: Download, serverName: string | null): string {
  const fileName = serverName ?? `${name} ${fileText(from, zone)}.mp4`
  if (parts === 1) return fileName
  const dot = fileName.lastIndexOf('.')
  const end = dot > 0 ? dot : fileName.length
  return `${fileName.slice(0, end)} ${part} of ${parts}${fileName.slice(end)}`
}
