import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

type Received = { to: string[]; headers: string; body: string }

/** A mail server on this machine; `next` resolves with the next mail. */
export type MailServer = {
  port: number
  next: () => Promise<Received>
  count: () => number
  close: () => Promise<void>
}

export const startMailServer = async (options: SMTPServerOptions = {}): Promise<MailServer> => {
  const letters: Received[] = []
  const waiting: ((letter: Received) => void)[] = []
  let taken = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password: given }, _session, done) =>
      done(username === 'joe' && given === 'hush' ? null : new Error('no'), { user: username }),
    onData: async (stream, { envelope: { rcptTo } }, done) => {
      const [headers = '', ...parts] = (await text(stream)).split('\r\n\r\n')
      const raw = parts.join('\n\n')
      const body = /transfer-encoding: base64/i.test(headers) ? Buffer.from(raw, 'base64').toString() : raw
      const letter = { to: rcptTo.map(({ address }) => address), headers, body }
      taken += 1
      const wake = waiting.shift()
      if (wake === undefined) letters.push(letter)
      else wake(letter)
      done()
    },
    ...options,
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    count: () => taken,
    next: () => {
      const letter = letters.shift()
      return letter === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(letter)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

export const codeIn = ({ body }: Pick<Received, 'body'>): string => /\b\d{8}\b/.exec(body)?.[0] ?? 'no code'
