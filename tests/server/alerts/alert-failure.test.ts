import { expect, test, vi } from 'vitest'
import { pushKeyOf } from '../../../server/alerts/push.ts'
import { createSend } from '../../../server/alerts/send.ts'
import { post } from '../../../server/alerts/webhook.ts'
import { startServer } from '../fixtures/harness.ts'

vi.mock('../../../server/alerts/webhook.ts', { spy: true })

test.each([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERTIFICATE_REFUSED'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'CERTIFICATE_REFUSED'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'CONNECTION_LOST'],
])('a webhook whose connection ends with %s has the reason %s', async (code, reason) => {
  vi.mocked(post).mockRejectedValueOnce(Object.assign(new Error('ended'), { code }))
  const { context } = await startServer()
  const send = createSend({ ...context, allowsLoopback: () => true, pushKey: pushKeyOf(Buffer.alloc(32, 1)) })
  const message = { id: 'm1', alert: 'a1', name: 'Night', kind: 'webhook', secret: '', total: 0 } as const
  const address = 'https://hook.example/'
  const outcome = await send({ ...message, address, happenings: [] }, AbortSignal.timeout(60_000))
  expect(outcome).toEqual({ isSent: false, reason, isFinal: false })
})
