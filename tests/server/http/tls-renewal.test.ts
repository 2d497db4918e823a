import fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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
