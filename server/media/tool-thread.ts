import { parentPort } from 'node:worker_threads'
import { guarded } from '../guarded.ts'
import { runToolHere } from './process.ts'
import type { FromToolThread, ToToolThread } from './run-tool.ts'
import { adoptSandbox } from './sandbox.ts'

const running = new Map<number, AbortController>()

const post = (message: FromToolThread, moved: ArrayBuffer[]): void => parentPort?.postMessage(message, moved)

const run = async ({ id, job }: Extract<ToToolThread, { kind: 'run' }>): Promise<void> => {
  const { tool, args, options, sandbox, isStreamed } = job
  adoptSandbox(sandbox)
  const stop = new AbortController()
  running.set(id, stop)
  const send = (chunk: Buffer): void => {
    const bytes = new Uint8Array(chunk)
    post({ kind: 'output', id, bytes }, [bytes.buffer])
  }
  const onOutput = isStreamed ? send : undefined
  const { output, stderrTail } = await runToolHere(tool, args, { ...options, signal: stop.signal, onOutput })
  running.delete(id)
  const bytes = output === undefined ? undefined : new Uint8Array(output)
  post({ kind: 'end', id, output: bytes, stderrTail }, bytes === undefined ? [] : [bytes.buffer])
}

const take = (message: ToToolThread): Promise<void> | void =>
  message.kind === 'run' ? run(message) : running.get(message.id)?.abort()

/** Ends the thread, so that its jobs fail. */
const end = guarded('tools: end', () => process.exit(1))

parentPort?.on('message', guarded('tools: message', take, end))
