import { createTransport } from 'nodemailer'
import type { ConfigurationValues } from '../configuration/values.ts'

export type Email = { to: string; subject: string; text: string }

const timeoutMs = 15_000

const encryption = {
  auto: {},
  starttls: { requireTLS: true },
  tls: { secure: true },
  none: { ignoreTLS: true },
} as const

/** The message of a mail server's error, without the credentials that some servers repeat in it. */
export const mailErrorOf = (error: unknown, { user, password }: ConfigurationValues['mail']): string => {
  const message = error instanceof Error ? error.message : String(error)
  const secrets =
    password === ''
      ? []
      : [password, ...[`\0${user}\0${password}`, password].map((text) => Buffer.from(text).toString('base64'))]
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message)
}

/** Sends an e-mail through the configured mail server; rejects if that refuses it. Certificates are verified. */
export const sendEmail = async (mail: ConfigurationValues['mail'], sender: string, email: Email): Promise<void> => {
  const transport = createTransport({
    host: mail.host,
    port: mail.port,
    ...encryption[mail.security],
    ...(mail.user === '' ? {} : { auth: { user: mail.user, pass: mail.password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      from: mail.from === '' ? { name: sender, address: `sightline@${mail.host}` } : mail.from,
      to: { name: '', address: email.to },
      subject: email.subject,
      text: email.text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  } finally {
    transport.close()
  }
}
