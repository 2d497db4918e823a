import { appendFileSync, fsyncSync, openSync } from 'node:fs'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, resolve } from 'node:path'

/**
 * Loaded before a server (`node --import`), records in the file of its URL (`?file=`) the files that would survive a
 * power cut: those whose bytes were synced under a name whose folder was synced since, up to the data folder.
 */
const list = openSync(new URL(import.meta.url).searchParams.get('file') ?? '/dev/null', 'a')
/** Paths of files whose bytes are synced, and that aren't listed yet. */
const withBytes = new Set<string>()
/** Paths whose folder was synced after they had been made in it. */
const withName = new Set<string>()
/** Folders that this process made; others were there before. */
const madeFolders = new Set<string>()
/** By folder, the paths that were made in it. */
const madeIn = new Map<string, Set<string>>()

const survives = (path: string): boolean =>
  withName.has(path) && (!madeFolders.has(dirname(path)) || survives(dirname(path)))
const listSurvivors = (): void => {
  for (const path of withBytes) {
    if (!survives(path)) continue
    withBytes.delete(path)
    appendFileSync(list, `${path}\n`)
  }
  fsyncSync(list)
}

const { open, rename, mkdir } = files
const noteMade = (path: string): void => {
  const folder = madeIn.get(dirname(path)) ?? new Set()
  madeIn.set(dirname(path), folder.add(path))
}

files.open = async (path, flags, mode) => {
  const handle = await open(path, flags, mode)
  const name = resolve(String(path))
  if (/^[wa]/.test(String(flags))) noteMade(name)
  const synced = (sync: () => Promise<void>) => async () => {
    await sync()
    withBytes.add(name)
    for (const each of madeIn.get(name) ?? []) withName.add(each)
    listSurvivors()
  }
  handle.sync = synced(handle.sync.bind(handle))
  handle.datasync = synced(handle.datasync.bind(handle))
  return handle
}
files.rename = async (from, to) => {
  await rename(from, to)
  const [before, after] = [resolve(String(from)), resolve(String(to))]
  if (withBytes.delete(before)) withBytes.add(after)
  noteMade(after)
}
Object.assign(files, {
  mkdir: async (...given: Parameters<typeof mkdir>) => {
    const [path] = given
    const first: unknown = await Reflect.apply(mkdir, files, given)
    if (typeof first !== 'string') return first
    for (let folder = resolve(String(path)); folder.length >= first.length; folder = dirname(folder)) {
      madeFolders.add(folder)
      noteMade(folder)
    }
    return first
  },
})
syncBuiltinESMExports()
