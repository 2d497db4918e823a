import { open, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { moveToLostAndFound } from '../../storage/lost-and-found.ts'
import { readHead } from './chunk-file.ts'
import type { TableSegment } from './chunk-table.ts'
import { isWhole, scanRest } from './chunk-scan.ts'
import { chunkFile, codeOf, exists, journalFile, spoolFile, ignoring } from '../../storage/folders.ts'
import { readJournal } from './journal.ts'
import { scanFile } from './segment-file.ts'
import { sealSpool } from './spool.ts'

/** A stream's folder on a volume. `isOfRecorder`: whether a recorder of this process writes or wrote a spool. */
type Spools = { volume: number; folder: string; isOfRecorder: (start: number) => boolean }

export type Recovered = {
  /** Starts of the chunks sealed by this call. */
  sealed: number[]
  /** Starts of the chunks sealed before, which may lack a row. */
  unindexed: number[]
  /** Files moved to lost+found. */
  movedFiles: string[]
  failed: string[]
}

type SpoolContent = { segments: TableSegment[]; timescale: number }

/** The intact part of a spool: the segments in its journal, then those found in its boxes. */
const readSpool = async (folder: string, start: number): Promise<SpoolContent | undefined> => {
  const journal = await readFile(join(folder, journalFile(start)), 'utf8').catch(ignoring('ENOENT'))
  const file = await open(join(folder, spoolFile(start)), 'r')
  try {
    const head = await readHead(file)
    if (head === undefined) return undefined
    const { size } = await file.stat()
    const known = readJournal(journal ?? '', head.bytes).filter(({ offset, bytes }) => offset + bytes <= size)
    for (let last = known.at(-1); last !== undefined && !(await isWhole(file, head, last)); last = known.at(-1))
      known.pop()
    const segments = [...known, ...(await scanRest(file, head, start, known))]
    return { segments, timescale: head.init.video.timescale }
  } finally {
    await file.close()
  }
}

const hasFragments = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r')
  try {
    return (await scanFile(file)).fragments.length > 0
  } finally {
    await file.close()
  }
}

const recoverSpool = async ({ volume, folder }: Spools, start: number, recovered: Recovered): Promise<void> => {
  const name = spoolFile(start)
  const spooled = await readSpool(folder, start)
  const first = spooled?.segments[0]
  if (spooled === undefined || first === undefined) {
    if (spooled === undefined && (await hasFragments(join(folder, name)))) {
      await moveToLostAndFound(folder, name)
      recovered.movedFiles.push(name)
    } else {
      await unlink(join(folder, name))
    }
    await unlink(join(folder, journalFile(start))).catch(ignoring('ENOENT'))
    return
  }
  if (await exists(join(folder, chunkFile(start)))) {
    await moveToLostAndFound(folder, name)
    recovered.movedFiles.push(name)
    return
  }
  await sealSpool({ volume, folder, start, ...spooled })
  recovered.sealed.push(start)
}

/** Deletes live-only spools; returns the other names in the stream's folder. */
export const dropLiveFiles = async (
  folder: string,
  isOfRecorder: (start: number) => boolean = () => false,
): Promise<string[]> => {
  const names = (await readdir(folder).catch(ignoring('ENOENT'))) ?? []
  // A recorder reports a segment before it opens a file for it: the reports that wait are taken first.
  for (let turns = 0; turns < 2; turns += 1) await nextTurn()
  const isLive = (name: string): boolean => name.endsWith('.live') && !isOfRecorder(Number.parseInt(name, 10))
  for (const name of names.filter(isLive)) await unlink(join(folder, name)).catch(ignoring('ENOENT'))
  return names.filter((name) => !isLive(name))
}

/** Seals the spools that a crash left in a stream's folder. */
export const recoverSpools = async (spools: Spools): Promise<Recovered> => {
  const { folder, isOfRecorder } = spools
  const names = await dropLiveFiles(folder, isOfRecorder)
  const startsOf = (end: string): number[] =>
    names
      .flatMap((name) => (/^\d{1,16}\./.test(name) && name.endsWith(end) ? Number.parseInt(name, 10) : []))
      .filter((start) => !isOfRecorder(start))
      .toSorted((a, b) => a - b)
  const recovered: Recovered = { sealed: [], unindexed: [], movedFiles: [], failed: [] }
  const starts = startsOf('.spool')
  for (const start of starts) {
    try {
      await recoverSpool(spools, start, recovered)
    } catch (error) {
      recovered.failed.push(`${spoolFile(start)} (${codeOf(error) ?? String(error)})`)
    }
  }
  recovered.unindexed = startsOf('.journal').filter((start) => !starts.includes(start))
  return recovered
}

/** Deletes the journal of an indexed chunk. */
export const dropJournal = async (folder: string, start: number): Promise<void> => {
  await unlink(join(folder, journalFile(start))).catch(ignoring('ENOENT'))
}
