import fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { copyFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeCertificate } from '../../../scripts/certificate.ts'
import { createHosts } from '../../../server/http/hosts.ts'
import { followRenewals } from '../../../server/http/tls-renewal.ts'
import { patience } from '../../fixtures/patience.ts'
import { certified } from '../fixtures/tls.ts'

test('a certificate that was renewed between its reading and the first check is taken too', async () => {
  const { tls, folder, files } = certified()
  const renewed = makeCertificate(join(folder, 'renewed'), 'cams.example')
  copyFileSync(renewed.key, files.key)
  copyFileSync(renewed.cert, files.cert)
  const app = fastify().withTypeProvider<ZodTypeProvider>()
  onTestFinished(() => app.close())
  const hosts = createHosts([], tls)
  expect(hosts.isAllowed('cams.example')).toBe(false)
  followRenewals(app, tls, hosts)
  await expect.poll(() => hosts.isAllowed('cams.example'), patience).toBe(true)
})

/** As where a key is copied before its owner is set, or with its old time. */
test('files that can be used only later are taken then, though none is newer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { tls, folder, files } = certified()
  const renewed = makeCertificate(join(folder, 'renewed'), 'cams.example')
  const key = readFileSync(renewed.key)
  const old = new Date(2026, 0)
  writeFileSync(files.key, Buffer.alloc(key.length))
  utimesSync(files.key, old, old)
  copyFileSync(renewed.cert, files.cert)
  const lines: string[] = []
  const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } }
  const app = fastify({ logger }).withTypeProvider<ZodTypeProvider>()
  onTestFinished(() => app.close())
  const hosts = createHosts([], tls)
  followRenewals(app, tls, hosts)
  await expect.poll(() => lines.join(''), patience).toContain('holds no private key')
  writeFileSync(files.key, key)
  utimesSync(files.key, old, old)
  vi.advanceTimersByTime(2000)
  await expect.poll(() => hosts.isAllowed('cams.example'), patience).toBe(true)
})
