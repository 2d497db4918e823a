import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { Known } from './site.ts'

const folder = join(import.meta.dirname, '../../tests/fixtures/releases')
const Release = z.object({ name: z.string(), date: z.string(), known: Known, files: z.record(z.string(), z.string()) })
export type Release = z.output<typeof Release>

/** Sites that released servers made (scripts/release-fixture.ts), the oldest first. */
export const readReleases = (): Release[] =>
  globSync('*.json.gz', { cwd: folder })
    .map((file) => z.parse(Release, JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString())))
    .toSorted((a, b) => a.date.localeCompare(b.date))

/** Lays the files of a release into a data folder. */
export const layFiles = ({ files }: Release, dataDir: string): void => {
  for (const [file, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(dataDir, file)), { recursive: true })
    writeFileSync(join(dataDir, file), Buffer.from(bytes, 'base64'))
  }
}
