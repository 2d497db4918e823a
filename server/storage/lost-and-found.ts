import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { exists, syncFolder } from './folders.ts'

/** The folder in that of a recording for files that belong to no recording. They are never deleted. */
const lostAndFound = 'lost+found'

/** Moves a file to lost+found under a free name. */
export const moveToLostAndFound = async (folder: string, file: string): Promise<void> => {
  const target = join(folder, lostAndFound)
  await mkdir(target, { recursive: true, mode: 0o700 })
  const name = file.replace('/', '-')
  let path = join(target, name)
  for (let count = 2; await exists(path); count += 1) path = join(target, `${name}-${count}`)
  await rename(join(folder, file), path)
  await syncFolder(target)
}
