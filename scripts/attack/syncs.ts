import { appendFileSync, fsyncSync, openSync } from 'node:fs'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, resolve } from 'node:path'

/**
 * Loaded before a server (`node --import`), records in the file of its URL (`?file=`) the files that would survive a
 * power cut: those whose bytes were synced under a name whose folder was synced since, up to the data folder.
 */
const list = openSync(new URL(import.meta.url).searchParams.get('file') ?? '/dev/null', 'a')
/** The names of synced files, and their current names. */
const whole = new Set<string>()
const entered = new Set<string>()
const made = new Set<string>()

const isEntered = (path: string): boolean => entered.has(path) && (!made.has(dirname(path)) || isEntered(dirname(path)))
const note = (): void => {
  for (const path of whole) {
    if (!isEntered(path)) continue
    whole.delete(path)
    appendFileSync(list, `${path}\n`)
  }
  fsyncSync(list)
}

const { open, rename, mkdir } = files
const inFolder = new Map<string, Set<string>>()
const enter = (path: string): void => {
  const folder = inFolder.get(dirname(path)) ?? new Set()
  inFolder.set(dirname(path), folder.add(path))
}

files.open = async (path, flags, mode) => {
  const handle = await open(path, flags, mode)
  const name = resolve(String(path))
  if (/^[wa]/.test(String(flags))) enter(name)
  const synced = (sync: () => Promise<void>) => async () => {
    await sync()
    whole.add(name)
    for (const each of inFolder.get(name) ?? []) entered.add(each)
    note()
  }
  handle.sync = synced(handle.sync.bind(handle))
  handle.datasync = synced(handle.datasync.bind(handle))
  return handle
}
files.rename = async (from, to) => {
  await rename(from, to)
  const [before, after] = [resolve(String(from)), resolve(String(to))]
  if (whole.delete(before)) whole.add(after)
  enter(after)
}
Object.assign(files, {
  mkdir: async (...given: Parameters<typeof mkdir>) => {
    const [path] = given
    const first: unknown = await Reflect.apply(mkdir, files, given)
    if (typeof first !== 'string') return first
    for (let folder = resolve(String(path)); folder.length >= first.length; folder = dirname(folder)) {
      made.add(folder)
      enter(folder)
    }
    return first
  },
})
syncBuiltinESMExports()
