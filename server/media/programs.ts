import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { UsageError } from '../usage-error.ts'

/** The file of a program; undefined if no folder of PATH has it. */
export const findInPath = (program: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

export const isInPath = (program: string): boolean => findInPath(program) !== undefined

export const requirePrograms = (): void => {
  const missing = ['ffmpeg', 'ffprobe'].filter((program) => !isInPath(program))
  if (missing.length === 0) return
  throw new UsageError(
    `${missing.join(' and ')} is missing: install ffmpeg (Debian: apt-get install ffmpeg; ` +
      'macOS: brew install ffmpeg), or serve the console alone with --upstream',
  )
}
