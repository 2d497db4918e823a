import { fileText } from '../player/local-text.ts'
import type { Download } from './clips.machine.ts'

/** The name that the server gives, else the stream's name and the local start time; with the number of a part. */
export function clipFileName({ name, from, zone, part, parts }: Download, given: string | null): string {
  const whole = given ?? `${name} ${fileText(from, zone)}.mp4`
  if (parts === 1) return whole
  const dot = whole.lastIndexOf('.')
  const end = dot > 0 ? dot : whole.length
  return `${whole.slice(0, end)} ${part} of ${parts}${whole.slice(end)}`
}
