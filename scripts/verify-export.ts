import { open } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { isPublicKey, verifyExport, type VerifiedExport } from '../src/api/export-file/verify-export.ts'

/** Checks an exported file offline: prints who exported it, when, which cameras, and whether it was changed. */

const usage = `Usage: npm run verify-export -- FILE [--key PUBLIC]

FILE    a ZIP that a server exported
--key   the server's public key, as its page Exports shows it: without it nobody
        can say whose server signed the file

Exits with 0 if the file is unchanged, with 1 if it isn't, with 2 for wrong usage or
if the file can't be read.
`

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const complain = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}

const iso = (moment: number): string => new Date(moment).toISOString()

const verdicts: Readonly<Record<VerifiedExport['verdict'], string>> = {
  unchanged: 'Unchanged: every file is as it was signed.',
  changed: 'CHANGED: it is not what was signed.',
  truncated: 'TRUNCATED: the end of the file is missing.',
  otherKey: 'SIGNED WITH ANOTHER KEY: unchanged since then, but not from the server of the given key.',
  notAnExport: 'No export: it is another kind of file.',
}
const mismatches = { changed: 'changed', missing: 'missing', added: 'added, not signed' }

/** Removes control characters from text of an untrusted file, as they could control the terminal. */
const plain = (text: string): string => text.replace(/\p{C}/gu, '?')

const describe = ({ verdict, manifest, mismatches: found }: VerifiedExport, hasKey: boolean): void => {
  print(verdicts[verdict])
  for (const { name, kind } of found) print(`  ${plain(name)}: ${mismatches[kind]}`)
  if (manifest === undefined) return
  print('')
  if (verdict === 'changed') print('What it says of itself, which may be untrue:')
  const { login, createTime, overlay, timezone = 'UTC' } = manifest
  const drawn = overlay ? `, with text drawn in (time of ${plain(timezone)})` : ''
  print(`Exported by ${plain(login)} at ${iso(createTime)}${drawn}`)
  if (manifest.note !== '') print(`Note: ${plain(manifest.note)}`)
  for (const { streamName, streamId, startTime, endTime, gaps, masks = [] } of manifest.items) {
    print(`${plain(streamName)} (${plain(streamId)}): ${iso(startTime)} to ${iso(endTime)}`)
    for (const gap of gaps) print(`  not recorded: ${iso(gap.startTime)} to ${iso(gap.endTime)}`)
    if (masks.length > 0) print(`  privacy masks burned in: ${masks.length}`)
  }
  for (const { name, startTime, endTime, frames } of manifest.files)
    print(`  ${plain(name)}: ${frames} pictures, ${iso(startTime)} to ${iso(endTime)}`)
  print(`Public key: ${plain(manifest.publicKey)}`)
  if (!hasKey && verdict === 'unchanged')
    print('Compare it with the key of the server (--key): anybody can sign with a key of their own.')
}

const readArguments = () => {
  try {
    const { values, positionals } = parseArgs({
      options: { key: { type: 'string' }, help: { type: 'boolean' } },
      allowPositionals: true,
    })
    return { ...values, files: positionals }
  } catch {
    return undefined
  }
}

const main = async (): Promise<number> => {
  const asked = readArguments()
  if (asked?.help === true) {
    print(usage)
    return 0
  }
  const [path, ...more] = asked?.files ?? []
  if (path === undefined || more.length > 0 || (asked?.key !== undefined && !isPublicKey(asked.key))) {
    process.stderr.write(usage)
    return 2
  }
  const file = await open(path).catch(complain)
  if (file === undefined) return 2
  try {
    const { size } = await file.stat()
    const read = async (from: number, to: number): Promise<Uint8Array> => {
      const bytes = Buffer.alloc(to - from)
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
      return bytes.subarray(0, bytesRead)
    }
    const verified = await verifyExport({ size, read }, { key: asked?.key })
    describe(verified, asked?.key !== undefined)
    return verified.verdict === 'unchanged' ? 0 : 1
  } catch (error) {
    complain(error)
    return 2
  } finally {
    await file.close()
  }
}

process.exitCode = await main()
