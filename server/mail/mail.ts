import { createTransport } from 'nodemailer'
import type { ConfigurationValues } from '../configuration/values.ts'

export type Letter = { to: string; subject: string; text: string }

const timeoutMs = 15_000

const encryption = {
  auto: {},
  starttls: { requireTLS: true },
  tls: { secure: true },
  none: { ignoreTLS: true },
} as const

/** The error of a mail server without the credentials, which some servers repeat. */
export const wordsOf = (error: unknown, { user, password }: ConfigurationValues['mail']): string => {
  const words = error instanceof Error ? error.message : String(error)
  const given =
    password === ''
      ? []
      : [password, ...[`\0${user}\0${password}`, password].map((text) => Buffer.from(text).toString('base64'))]
  return given.reduce((text, secret) => text.replaceAll(secret, '***'), words)
}

/** Sends a letter by the configured mail server; rejects if it isn't accepted. Certificates are checked. */
export const sendLetter = async (mail: ConfigurationValues['mail'], sender: string, letter: Letter): Promise<void> => {
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
      to: { name: '', address: letter.to },
      subject: letter.subject,
      text: letter.text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  } finally {
    transport.close()
  }
}
