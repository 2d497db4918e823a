import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { UsageError } from '../usage-error.ts'

export const isInPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

export const requirePrograms = (): void => {
  const missing = ['ffmpeg', 'ffprobe'].filter((program) => !isInPath(program))
  if (missing.length === 0) return
  throw new UsageError(
    `${missing.join(' and ')} is missing: install ffmpeg (Debian: apt-get install ffmpeg; ` +
      'macOS: brew install ffmpeg), or serve the console alone with --upstream',
  )
}
