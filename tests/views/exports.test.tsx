// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react'
import { generateKeyPairSync, sign } from 'node:crypto'
import { settings } from '../fixtures/fake-server.ts'
import { expect, fill, part, press, test, textsOf, titled, until } from './console.tsx'

const announced = { json: { ...settings, features: ['exports'] } }
const range = {
  streamId: 'gate',
  streamName: 'Gate',
  startTime: '2026-11-21T08:00:00Z',
  endTime: '2026-11-21T08:05:00Z',
}
const made = {
  id: 'e1',
  status: 'ready',
  progress: 1,
  bytes: 12_300_000,
  items: [range],
  note: 'Case 7',
  login: 'ann',
  expireTime: '2026-12-05T08:00:00Z',
}
const being = { id: 'e2', status: 'running', progress: 0.42, items: [range], login: 'ann' }
const waiting = { id: 'e3', status: 'queued', items: [range, { ...range, streamName: 'Yard' }], login: 'ann' }
const failed = { id: 'e4', status: 'failed', items: [range], note: 'Late', login: 'ann', failureReason: 'EXPORTS_FULL' }

const keys = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { privateKey, publicKey: Buffer.from(x, 'base64url').toString('base64') }
}

const number = (bytes: 2 | 4, value: number): Buffer => {
  const written = Buffer.alloc(bytes)
  written.writeUIntLE(value, 0, bytes)
  return written
}

/** A ZIP that stores, as small as can be. */
const zipped = (entries: Readonly<Record<string, Buffer>>): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, bytes] of Object.entries(entries)) {
    const sizes = Buffer.concat([number(4, bytes.length), number(4, bytes.length), number(2, name.length)])
    const head = Buffer.concat([number(4, 0x04034b50), Buffer.alloc(14), sizes, number(2, 0), Buffer.from(name), bytes])
    directory.push(number(4, 0x02014b50), Buffer.alloc(16), sizes, Buffer.alloc(12), number(4, at), Buffer.from(name))
    parts.push(head)
    at += head.length
  }
  const listed = Buffer.concat(directory)
  const count = Object.keys(entries).length
  const end = [number(4, 0x06054b50), Buffer.alloc(4), number(2, count), number(2, count)]
  return Buffer.concat([...parts, listed, ...end, number(4, listed.length), number(4, at), number(2, 0)])
}

/** An export without a film. */
const exported = ({ privateKey, publicKey }: ReturnType<typeof keys>): Buffer => {
  const text = Buffer.from(
    JSON.stringify({
      format: 'sightline-export',
      version: 1,
      id: 'e1',
      login: 'ann',
      createTime: '2026-11-21T09:00:00.000Z',
      note: 'Case 7',
      overlay: true,
      timezone: 'Europe/Moscow',
      publicKey,
      items: [{ ...range, gaps: [{ startTime: '2026-11-21T08:01:00Z', endTime: '2026-11-21T08:02:00Z' }] }],
      files: [],
    }),
  )
  return zipped({ 'manifest.json': text, 'manifest.sig': sign(null, text, privateKey) })
}

test('a server without exports has neither tab nor page, and is asked nothing of them', async ({ server, visit }) => {
  await visit('/ui/exports')
  await screen.findByText('Page not found')
  await visit('/ui/help')
  await titled('Help')
  expect(textsOf((await part('navigation', 'Toolbar')).getAllByRole('link'))).not.toContain('Exports')
  expect(server.count('GET /v1/exports')).toBe(0)
})

test('exports are listed with their state, downloaded, cancelled and deleted', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  const listed = [made, being, waiting, failed]
  server.answer('GET /v1/exports', () => ({ json: { items: listed, publicKey: '' } }))
  server.answer('DELETE /v1/export/e2', () => {
    listed.splice(1, 1)
    return {}
  })
  await visit('/ui/help')
  await titled('Help')
  await press('link', 'Exports', await part('navigation', 'Toolbar'))
  await titled('Exports')
  await screen.findByText('4 exports')
  const item = (name: string) => within(screen.getAllByRole('listitem', { name })[0] ?? document.body)
  expect(item('Case 7').getByText(/^Ready, 12 MB, kept until/)).toBeTruthy()
  expect(item('Case 7').getByRole('link', { name: 'Download' }).getAttribute('href')).toMatch(/\/v1\/export\/e1\/file$/)
  expect(item('Gate').getByRole('progressbar', { name: 'Progress' }).getAttribute('value')).toBe('0.42')
  expect(item('Gate, Yard').getByText('Waiting')).toBeTruthy()
  expect(
    item('Late').getByText('Failed: There is no space left for exports: delete some, or ask an administrator'),
  ).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'Download' })).toHaveLength(1)

  await press('button', 'Cancel', item('Gate'))
  await press('button', 'Cancel the export', await part('alertdialog', 'Cancel this export?'))
  await screen.findByText('3 exports')
  await press('button', 'Delete', item('Case 7'))
  await press('button', 'Cancel', await part('alertdialog', 'Delete this export?'))
  expect(server.calls.filter((call) => call.startsWith('DELETE'))).toEqual(['DELETE /v1/export/e2'])
})

test('an export of nobody known is listed without a login', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  server.answer('GET /v1/exports', { json: { items: [made, { ...made, id: 'e2', login: undefined }] } })
  await visit('/ui/exports')
  await screen.findByText('2 exports')
  expect(textsOf(screen.getAllByText(/^Requested by/))).toEqual(['Requested by ann'])
})

test('a file is checked here: unchanged, with another key, changed, truncated and none', async ({ server, visit }) => {
  const [ours, theirs] = [keys(), keys()]
  server.answer('GET /v1/system/internal/ui/settings', announced)
  server.answer('GET /v1/exports', { json: { items: [], publicKey: ours.publicKey } })
  await visit('/ui/exports')
  await screen.findByText('No exports yet')
  const drop = async (bytes: Buffer, verdict: string) => {
    const target = screen.getByRole('button', { name: 'Choose a file' })
    fireEvent.drop(target, { dataTransfer: { files: [new File([new Uint8Array(bytes)], 'export.zip')] } })
    await screen.findByRole('heading', { name: verdict })
  }
  const good = exported(ours)
  await drop(good, 'Unchanged')
  const check = await part('region', 'Check a file')
  expect(check.getByText(/^ann, /)).toBeTruthy()
  expect(check.getByText(/^Gate: .*, 1 gap$/)).toBeTruthy()
  expect(check.getByText(/^with time \(Europe\/Moscow\) and camera name/)).toBeTruthy()
  await fill('Expected public key', theirs.publicKey)
  await screen.findByRole('heading', { name: 'Signed with another key' })
  await fill('Expected public key', ours.publicKey)
  await drop(exported(theirs), 'Signed with another key')
  const changed = Buffer.from(good)
  changed.write('eve', changed.indexOf('ann'))
  await drop(changed, 'Changed')
  expect(check.getByText('manifest.json: changed')).toBeTruthy()
  await drop(good.subarray(0, -5), 'Truncated')
  await drop(Buffer.from('Hello'), 'Not an export')
  await until(() => expect(server.calls.every((call) => call.startsWith('GET'))).toBe(true))
})
