import { crc32 } from 'node:zlib'
import { TableSegment } from './chunk-table.ts'
import { parseJson } from '../../parse-json.ts'

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** The line of a segment that is on the disk: the CRC-32 of its values, and the values as JSON. */
export const journalLine = ({ start, finish, duration, mediaStart, offset, bytes }: TableSegment): string => {
  const text = JSON.stringify({ start, finish, duration, mediaStart, offset, bytes })
  return `${checksumOf(text)} ${text}\n`
}

const entryOf = (line: string): TableSegment | undefined => {
  const text = line.slice(9)
  if (line[8] !== ' ' || line.slice(0, 8) !== checksumOf(text)) return undefined
  return parseJson(TableSegment, text)
}

/**
 * Reads a journal up to the first line that is broken, or whose segment doesn't follow the one before it. `offset`:
 * where the first segment begins in the spool.
 */
export const readJournal = (text: string, offset: number): TableSegment[] => {
  const entries: TableSegment[] = []
  let at = offset
  for (const line of text.split('\n')) {
    const entry = entryOf(line)
    if (entry === undefined || entry.offset !== at || entry.bytes <= 0) return entries
    entries.push(entry)
    at += entry.bytes
  }
  return entries
}
