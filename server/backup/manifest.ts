import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'
import { databaseName, dumpName } from '../store/secure-folder.ts'
import { codeOf } from '../storage/folders.ts'
import { UsageError } from '../usage-error.ts'
import { parseJson } from '../parse-json.ts'

export const manifestName = 'manifest.json'
/** The chunks of a volume, one path a line, as rsync takes them by `--files-from`. */
export const chunksName = (volume: number): string => `chunks-${volume}.txt`

const name = z.string().check(z.regex(/^(?:sightline\.(?:db|dump)|server\.key|export\.key|chunks-\d{1,9}\.txt)$/))
const Entry = z.object({ name, bytes: z.number(), sha256: z.string() })

/** The files of a backup. `volumes`: where the recordings were; volume 0 is in the data folder. */
const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  made: z.string(),
  files: z.array(Entry),
  volumes: z.array(z.object({ id: z.number(), path: z.string(), chunks: z.number() })),
})
export type Manifest = z.output<typeof Manifest>

/** The SHA-256 of a file, in hex. */
export const sha256Of = async (file: string, signal?: AbortSignal): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash, signal === undefined ? {} : { signal })
  return hash.digest('hex')
}

export const entryOf = async (folder: string, file: string): Promise<Manifest['files'][number]> => ({
  name: file,
  bytes: (await stat(join(folder, file))).size,
  sha256: await sha256Of(join(folder, file)),
})

/** Turns an error of reading `path` into one for the operator: `absent` if there is no such file. */
const failed =
  (path: string, absent: Error) =>
  (error: unknown): never => {
    const code = codeOf(error)
    if (code === 'EACCES' || code === 'EPERM') throw new UsageError(`This user may not read ${path}`)
    throw code === 'ENOENT' || code === 'ENOTDIR' ? absent : error
  }

/** Reads the manifest of a backup and compares every file with it. Throws if one differs. */
export const verifiedManifest = async (folder: string): Promise<Manifest> => {
  const manifest = join(folder, manifestName)
  const none = new UsageError(`There is no backup in ${folder}`)
  const text = await readFile(manifest, 'utf8').catch(failed(manifest, none))
  const data = parseJson(Manifest, text)
  if (data === undefined) throw new UsageError(`${manifest} is not a manifest that this version can read`)
  for (const entry of data.files) {
    const missing = new Error(`The backup is damaged: ${entry.name} is missing`)
    const found = await entryOf(folder, entry.name).catch(failed(join(folder, entry.name), missing))
    if (found.sha256 !== entry.sha256) throw new Error(`The backup is damaged: ${entry.name} has changed`)
  }
  const hasDatabase = data.files.some((entry) => entry.name === databaseName || entry.name === dumpName)
  if (!hasDatabase) throw new Error('The backup has no database')
  return data
}
