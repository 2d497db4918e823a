import { expect, onTestFinished, test } from 'vitest'
import { onFault } from '../../../server/guarded.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { startServer } from '../fixtures/harness.ts'
import { startMailServer } from '../fixtures/mail-server.ts'

test('a letter that can not be written, as on a full disk, is a fault in the log; the next one is sent', async () => {
  const mail = await startMailServer()
  onTestFinished(mail.close)
  const { context } = await startServer({
    defaults: {
      ...builtInValues,
      mail: { ...builtInValues.mail, host: '127.0.0.1', port: mail.port, security: 'none' },
    },
  })
  const error = new Error('database or disk is full')
  const fault = new Promise((resolve) => {
    onTestFinished(onFault(resolve))
  })
  context.mailer.sendLater(() => {
    throw error
  })
  expect(await fault).toEqual({ callback: 'mail: e-mail', error })
  context.mailer.sendLater(() => ({ to: 'ann@example.org', subject: 'Hello', text: 'Hello' }))
  expect((await mail.next()).to).toEqual(['ann@example.org'])
})
