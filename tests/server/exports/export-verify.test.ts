import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open as openFile, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createZipWriter } from '../../../server/exports/zip-writer.ts'
import { readZip, type FileSource } from '../../../src/api/export-file/zip-reader.ts'
import { requestExport, verified, entriesOf, fileOf, untilMade, sourceOf } from '../fixtures/export-file.ts'
import { add, newFolder, open, record } from '../fixtures/tape.ts'

const exported = async () => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 6)
  const { id } = await requestExport(video, [['door', 0, 4]])
  await untilMade(video, id)
  const { bytes } = await fileOf(video, id)
  const entries = await entriesOf(bytes)
  const [name = ''] = entries.keys()
  return { bytes, entries, name }
}

/** The entries as a ZIP of their own. */
const packed = async (entries: Iterable<readonly [string, Buffer]>): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-zip-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'file.zip')
  const file = await openFile(path, 'w+')
  const zip = createZipWriter(file)
  for (const [name, bytes] of entries) await zip.add({ name, bytes: bytes.length, moment: 0 }, [bytes])
  await zip.end()
  await file.close()
  return readFile(path)
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const changed = Buffer.from(bytes)
  changed.writeUInt8((bytes[at] ?? 0) ^ 1, at)
  return changed
}

test('one changed byte of a video or of the manifest is found', async () => {
  const { bytes, entries, name } = await exported()
  expect((await verified(bytes)).verdict).toBe('unchanged')
  const [movie = Buffer.alloc(0)] = entries.values()
  const inMovie = bytes.indexOf(movie) + Math.floor(movie.length / 2)
  expect(await verified(flipped(bytes, inMovie))).toMatchObject({
    verdict: 'changed',
    mismatches: [{ name, kind: 'changed' }],
    manifest: { login: 'admin' },
  })
  const login = bytes.indexOf('"admin"') + 1
  expect(await verified(flipped(bytes, login))).toMatchObject({
    verdict: 'changed',
    mismatches: [{ name: 'manifest.json', kind: 'changed' }],
  })
  const signature = entries.get('manifest.sig') ?? Buffer.alloc(0)
  expect(await verified(flipped(bytes, bytes.indexOf(signature)))).toMatchObject({
    verdict: 'changed',
    mismatches: [{ name: 'manifest.json', kind: 'changed' }],
  })
})

test('the key of the signer may lack its padding or have line breaks', async () => {
  const { bytes } = await exported()
  const { publicKey = '' } = (await verified(bytes)).manifest ?? {}
  const copied = [publicKey.replace('=', ''), ` ${publicKey.slice(0, 20)}\n${publicKey.slice(20)}`]
  const verdicts = [...copied, publicKey.toLowerCase()].map(async (key) => (await verified(bytes, key)).verdict)
  expect(await Promise.all(verdicts)).toEqual(['unchanged', 'unchanged', 'otherKey'])
})

test('a truncated file and one that is no export are distinguished', async () => {
  const { bytes } = await exported()
  for (const length of [bytes.length - 1, bytes.length - 200, Math.floor(bytes.length / 2), 40])
    expect((await verified(bytes.subarray(0, length))).verdict).toBe('truncated')
  for (const other of [Buffer.alloc(0), Buffer.from('PK'), Buffer.from('something else'.repeat(100))])
    expect((await verified(other)).verdict).toBe('notAnExport')
  expect((await verified(await packed([['letter.txt', Buffer.from('Hello')]]))).verdict).toBe('notAnExport')
})

test('files that were removed, added or duplicated are named', async () => {
  const { entries, name } = await exported()
  const all = [...entries]
  expect((await verified(await packed(all))).verdict).toBe('unchanged')
  const mismatches = async (changed: readonly (readonly [string, Buffer])[]) =>
    (await verified(await packed(changed))).mismatches
  expect(await mismatches(all.slice(1))).toEqual([{ name, kind: 'missing' }])
  expect(await mismatches([...all, ['more.mp4', Buffer.from('x')]])).toEqual([{ name: 'more.mp4', kind: 'added' }])
  expect(await mismatches([...all, [name, Buffer.from('x')]])).toEqual([{ name, kind: 'changed' }])
  expect(await mismatches(all.slice(0, 2))).toEqual([{ name: 'manifest.sig', kind: 'missing' }])
  const named = await packed(all)
  // The name before the bytes is another one than in the directory at the end.
  named.write('X', named.indexOf(name))
  expect((await verified(named)).verdict).toBe('changed')
})

/** An export whose manifest is changed and signed again, by another key. */
const signedAgain = async (entries: ReadonlyMap<string, Buffer>, change: (text: string) => string): Promise<Buffer> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const own = Buffer.from(x, 'base64url').toString('base64')
  const text = entries.get('manifest.json')?.toString() ?? ''
  const { publicKey: before } = JSON.parse(text)
  const forged = Buffer.from(change(text.replace(before, own)))
  return packed([
    ...[...entries].slice(0, 1),
    ['manifest.json', forged],
    ['manifest.sig', sign(null, forged, privateKey)],
  ])
}

test('an export that is signed again has another key', async () => {
  const { bytes, entries } = await exported()
  const { manifest } = await verified(bytes)
  const again = await signedAgain(entries, (text) => text.replace('"admin"', '"eve"'))
  expect((await verified(again)).verdict).toBe('unchanged')
  expect(await verified(again, manifest?.publicKey)).toMatchObject({ verdict: 'otherKey', manifest: { login: 'eve' } })
})

test('numbers that do not fit into 32 bits are written and read as Zip64', async () => {
  const kept = new Map<number, Buffer>()
  let size = 0
  /** Of the large entry, which is of zeros, only its offset is kept. */
  const write = async (bytes: Buffer, from: number, length: number, at: number) => {
    if (length < 1_000_000) kept.set(at, Buffer.from(bytes.subarray(from, from + length)))
    size = Math.max(size, at + length)
    return { bytesWritten: length }
  }
  const zip = createZipWriter(Object.assign(Object.create(null), { write, sync: async () => undefined }))
  const piece = Buffer.alloc(2 ** 26)
  const large = 2 ** 32 + 2 ** 26
  await zip.add(
    { name: 'large', bytes: large, moment: 0 },
    Array.from({ length: large / piece.length }, () => piece),
  )
  await zip.add({ name: 'small', bytes: 5, moment: 0 }, [Buffer.from('hello')])
  await zip.end()
  const read = async (from: number, to: number) => {
    const bytes = Buffer.alloc(to - from)
    for (const [at, part] of kept) {
      const begin = Math.max(at, from)
      if (begin < Math.min(at + part.length, to))
        part.copy(bytes, begin - from, begin - at, Math.min(part.length, to - at))
    }
    return bytes
  }
  const [one, other] = await readZip({ size, read }, 10)
  expect([one?.name, (one?.to ?? 0) - (one?.from ?? 0), other?.name]).toEqual(['large', large, 'small'])
  expect((await read(other?.from ?? 0, other?.to ?? 0)).toString()).toBe('hello')
})

test('the command prints what it found, and its exit code says so', async () => {
  const { bytes, entries, name } = await exported()
  const { manifest } = await verified(bytes)
  const path = join(newFolder(), 'export.zip')
  const run = (content: Buffer, ...more: string[]) => {
    writeFileSync(path, content)
    const { status, stdout } = spawnSync('node', ['scripts/verify-export.ts', path, ...more], { encoding: 'utf8' })
    return { status, lines: stdout.split('\n') }
  }
  const good = run(bytes, '--key', manifest?.publicKey ?? '')
  expect([good.status, good.lines[0]]).toEqual([0, 'Unchanged: every file is as it was signed.'])
  expect(good.lines).toContainEqual(expect.stringMatching(`^  ${name.replaceAll(/[.]/g, '[.]')}: 100 pictures, `))
  const cut = run(bytes.subarray(0, -1))
  expect([cut.status, cut.lines[0]]).toEqual([1, 'TRUNCATED: the end of the file is missing.'])
  const other = run(bytes, '--key', Buffer.alloc(32).toString('base64'))
  expect([other.status, other.lines[0]?.slice(0, 23)]).toEqual([1, 'SIGNED WITH ANOTHER KEY'])
  expect(run(bytes, '--key', 'short').status).toBe(2)
  const folder = spawnSync('node', ['scripts/verify-export.ts', newFolder()], { encoding: 'utf8' })
  expect([folder.status, folder.stderr]).toEqual([2, expect.stringContaining('EISDIR')])
  const masks = '"masks": [{ "x": 0, "y": 0, "w": 0.5, "h": 0.5 }], "gaps"'
  const masked = run(await signedAgain(entries, (text) => text.replace('"gaps"', masks)))
  expect(masked.lines).toContain('  privacy masks burned in: 1')
})

test('a read that fails says nothing about the file', async () => {
  const bytes = await packed([['letter.txt', Buffer.from('Hello')]])
  const { size, read } = sourceOf(bytes)
  for (const failing of [1, 2, 3, 4]) {
    let reads = 0
    const fails: FileSource['read'] = async (from, to) => {
      reads += 1
      if (reads === failing) throw new Error('EIO')
      return read(from, to)
    }
    await expect(readZip({ size, read: fails }, 10)).rejects.toThrow('EIO')
  }
})

test('no malformed file makes it crash', async () => {
  const { bytes } = await exported()
  const end = bytes.length - 22
  for (let at = end - 400; at < bytes.length; at += 1) {
    const verdict = (await verified(flipped(bytes, at))).verdict
    expect(['changed', 'truncated', 'notAnExport', 'unchanged']).toContain(verdict)
  }
  await expect(readZip(sourceOf(bytes), 1)).rejects.toThrow('broken')
})
