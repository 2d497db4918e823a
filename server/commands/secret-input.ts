import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { guarded } from '../guarded.ts'

/** Discards what is written, so that the terminal echoes nothing. */
const discard = () =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done()
    },
  })

/** Reads a line from the terminal without showing it. Undefined after Ctrl-C or at the end of the input. */
const readHidden = async (prompt: string): Promise<string | undefined> => {
  // Before the prompt: nothing that is typed may be echoed, and Ctrl-C must end the input rather than the process.
  const lines = createInterface({ input: process.stdin, output: discard(), terminal: true })
  const stopping = new AbortController()
  const stop = guarded('command: input', () => stopping.abort())
  lines.once('SIGINT', stop)
  lines.once('close', stop)
  process.stderr.write(prompt)
  try {
    return await lines.question('', { signal: stopping.signal })
  } catch {
    return undefined
  } finally {
    lines.off('close', stop)
    lines.close()
    process.stderr.write('\n')
  }
}

const readFirstLine = async (): Promise<string | undefined> => {
  for await (const line of createInterface({ input: process.stdin })) return line
  return undefined
}

export type SecretInput = { text: string } | 'stopped' | 'different'

/** Reads a new secret: typed twice at a terminal, otherwise the first line of the standard input. */
export const readSecret = async (what: string): Promise<SecretInput> => {
  if (process.stdin.isTTY !== true) {
    const text = await readFirstLine()
    return text === undefined ? 'stopped' : { text }
  }
  const text = await readHidden(`${what}: `)
  const again = text === undefined ? undefined : await readHidden(`${what} once more: `)
  if (text === undefined || again === undefined) return 'stopped'
  return text === again ? { text } : 'different'
}
