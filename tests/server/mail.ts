import type { SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { type MailServer, startMailServer } from './mail-server.ts'

/** A mail server for the duration of a test. */
export const mailServer = async (options: SMTPServerOptions = {}): Promise<MailServer> => {
  const mail = await startMailServer(options)
  onTestFinished(mail.close)
  return mail
}
