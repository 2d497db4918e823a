import { once } from 'node:events'
import { createServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { post } from '../../../server/alerts/webhook.ts'
import { certified } from '../fixtures/tls.ts'

/** A webhook on this machine with a certificate of a name and of 127.0.0.1, which is trusted for the test. */
const webhook = async (name: string) => {
  const { ca, tls } = certified(name)
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, ca.toString()])
  onTestFinished(() => setDefaultCACertificates(before))
  const server = createServer({ cert: tls.cert, key: tls.key }, (request, response) => {
    request.resume()
    response.writeHead(204).end()
  }).listen(0, '0.0.0.0')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  return (host: string) =>
    post({ address: `https://${host}:${port}/`, headers: {}, body: '{}' }, true, AbortSignal.timeout(60_000))
}

test('the certificate of a webhook is checked for its address, or for its name', async () => {
  const call = await webhook('hook.example')
  expect(await call('127.0.0.1')).toBe(204)
  await expect(call('localhost')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})

test.skipIf(process.platform !== 'linux')('a certificate of localhost is none of another address', async () => {
  const call = await webhook('localhost')
  expect(await call('localhost')).toBe(204)
  await expect(call('127.0.0.2')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})
