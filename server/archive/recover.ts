import { open, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { moveAside } from './aside.ts'
import { readHead } from './chunk-file.ts'
import type { TableSegment } from './chunk-table.ts'
import { isWhole, scanRest } from './chunk-scan.ts'
import { chunkFile, codeOf, exists, journalFile, spoolFile, unless } from './folders.ts'
import { readJournal } from './journal.ts'
import { runOf, type Run } from './run.ts'
import { scanFile } from './segment-file.ts'
import { countsAfter, sealSpool, type Chunk } from './spool.ts'

export type Recovered = {
  chunks: { chunk: Chunk; run: Run }[]
  /** Starts of chunks that have their final name, but may lack their row. */
  sealed: number[]
  aside: string[]
  failed: string[]
}

type Spooled = { segments: TableSegment[]; timescale: number; run: Run; counts: Chunk['counts'] }

/** What is whole of a spool file: what its journal says, and what its boxes say after that. */
const readSpool = async (folder: string, start: number): Promise<Spooled | undefined> => {
  const journal = await readFile(join(folder, journalFile(start)), 'utf8').catch(unless('ENOENT'))
  const file = await open(join(folder, spoolFile(start)), 'r')
  try {
    const head = await readHead(file)
    if (head === undefined) return undefined
    const { size } = await file.stat()
    const known = readJournal(journal ?? '', head.bytes).filter(({ offset, bytes }) => offset + bytes <= size)
    for (let last = known.at(-1); last !== undefined && !(await isWhole(file, head, last)); last = known.at(-1))
      known.pop()
    const segments = [...known, ...(await scanRest(file, head, start, known))]
    const { facts, init } = head
    return {
      segments,
      timescale: init.video.timescale,
      run: runOf(facts.id, facts.run, init),
      counts: facts.counts === undefined ? undefined : countsAfter(facts.counts, segments),
    }
  } finally {
    await file.close()
  }
}

const hasPieces = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r')
  try {
    return (await scanFile(file)).pieces.length > 0
  } finally {
    await file.close()
  }
}

const recoverSpool = async (folder: string, start: number, recovered: Recovered): Promise<void> => {
  const name = spoolFile(start)
  const spooled = await readSpool(folder, start)
  const first = spooled?.segments[0]
  if (spooled === undefined || first === undefined) {
    if (spooled === undefined && (await hasPieces(join(folder, name)))) {
      recovered.aside.push(await moveAside(folder, name))
    } else {
      await unlink(join(folder, name))
    }
    await unlink(join(folder, journalFile(start))).catch(unless('ENOENT'))
    return
  }
  if (await exists(join(folder, chunkFile(start)))) {
    recovered.aside.push(await moveAside(folder, name))
    return
  }
  const { segments, timescale, run, counts } = spooled
  const chunk = await sealSpool({ folder, start, timescale, segments })
  recovered.chunks.push({ chunk: { ...chunk, counts }, run })
}

/** Removes what served live alone; answers the other names in the folder of a stream. */
export const dropLiveFiles = async (folder: string): Promise<string[]> => {
  const names = (await readdir(folder).catch(unless('ENOENT'))) ?? []
  const isLive = (name: string): boolean => name.endsWith('.live')
  for (const name of names.filter(isLive)) await unlink(join(folder, name)).catch(unless('ENOENT'))
  return names.filter((name) => !isLive(name))
}

/** Seals what a crash left in the making, in the folder of a stream that doesn't record yet. */
export const recoverSpools = async (folder: string): Promise<Recovered> => {
  const names = await dropLiveFiles(folder)
  const startsOf = (end: string): number[] =>
    names
      .flatMap((name) => (/^\d{1,16}\./.test(name) && name.endsWith(end) ? Number.parseInt(name, 10) : []))
      .toSorted((a, b) => a - b)
  const recovered: Recovered = { chunks: [], sealed: [], aside: [], failed: [] }
  const spools = startsOf('.spool')
  for (const start of spools) {
    try {
      await recoverSpool(folder, start, recovered)
    } catch (error) {
      recovered.failed.push(`${spoolFile(start)} (${codeOf(error) ?? String(error)})`)
    }
  }
  recovered.sealed = startsOf('.journal').filter((start) => !spools.includes(start))
  return recovered
}

/** The chunk has its row: its journal isn't needed any more. */
export const dropJournal = async (folder: string, start: number): Promise<void> => {
  await unlink(join(folder, journalFile(start))).catch(unless('ENOENT'))
}
