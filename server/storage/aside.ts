import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { exists, syncFolder } from './folders.ts'

/** Folder of a stream for files that belong to no recording. They are never deleted. */
const asideFolder = 'lost+found'

/** Moves a file to lost+found under a free name; returns its original name. */
export const moveAside = async (folder: string, file: string): Promise<string> => {
  const aside = join(folder, asideFolder)
  await mkdir(aside, { recursive: true, mode: 0o700 })
  const name = file.replace('/', '-')
  let target = join(aside, name)
  for (let count = 2; await exists(target); count += 1) target = join(aside, `${name}-${count}`)
  await rename(join(folder, file), target)
  await syncFolder(aside)
  return file
}
