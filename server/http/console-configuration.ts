import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { Configuration } from '../../src/api/contract/settings.ts'
import { UsageError, whyUnreadable } from '../usage-error.ts'

export type ConsoleConfiguration = z.input<typeof Configuration>

const Document = z.looseObject({})

const failed = (reason: string): UsageError => new UsageError(`CONSOLE_CONFIG: ${reason}`, 'CONSOLE_CONFIG')

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw failed(whyUnreadable(file, error))
  }
}

const documentOf = (file: string): unknown => {
  const text = textOf(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw failed(`${file} must be JSON (${error instanceof Error ? error.message : ''})`)
  }
}

/** Reads the console's configuration (docs/wire.md §4.1). Throws `UsageError`. */
export const readConsoleConfiguration = (file: string | undefined): ConsoleConfiguration => {
  if (file === undefined) return {}
  const document = z.safeParse(Document, documentOf(file))
  if (!document.success) throw failed(`${file} must be a JSON object (docs/wire.md §4.1)`)
  const decoded = z.safeDecode(Configuration, document.data)
  if (!decoded.success) throw failed(`${file} does not fit: ${z.prettifyError(decoded.error)}`)
  return document.data
}
