import { Worker } from 'node:worker_threads'
import { guarded } from '../guarded.ts'
import type { Tool, ToolOptions, ToolResult } from './process.ts'
import { sandbox, type Sandbox } from './sandbox.ts'

/** `input`: copies, which are moved to the thread. */
type Job = {
  tool: Tool
  args: readonly string[]
  options: ToolOptions
  sandbox: Sandbox
  /** Whether the output is sent as it comes. */
  isStreamed: boolean
}

type OnOutput = (bytes: Buffer) => void

/** Messages to and from the thread. `id` is that of a job. */
export type ToToolThread = { kind: 'run'; id: number; job: Job } | { kind: 'abort'; id: number }
export type FromToolThread =
  | { kind: 'output'; id: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'end'; id: number; output: Uint8Array<ArrayBuffer> | undefined; stderrTail: string }

const program = new URL('tool-thread.ts', import.meta.url)
const failed: ToolResult = { output: undefined, stderrTail: '' }

/** Starts the thread. A job ends without an output if the thread dies. */
const startThread = () => {
  const worker = new Worker(program, { name: 'tools', env: { PATH: process.env['PATH'] ?? '' } })
  const jobs = new Map<number, { end: (result: ToolResult) => void; onOutput: OnOutput | undefined }>()
  let isDead = false
  let lastId = 0

  /** The thread keeps the process running only while jobs run. */
  const settle = (id: number, result: ToolResult): void => {
    jobs.get(id)?.end(result)
    jobs.delete(id)
    if (jobs.size === 0) worker.unref()
  }
  const die = (): void => {
    isDead = true
    for (const id of jobs.keys()) settle(id, failed)
  }
  const receive = (message: FromToolThread): void => {
    if (message.kind === 'output') {
      jobs.get(message.id)?.onOutput?.(Buffer.from(message.bytes.buffer))
      return
    }
    const { id, output, stderrTail } = message
    settle(id, { output: output === undefined ? undefined : Buffer.from(output.buffer), stderrTail })
  }
  const reportError = (error: unknown): void => {
    die()
    throw error
  }
  worker.unref()
  worker.on('message', guarded('tools: result', receive))
  worker.on('error', guarded('tools: thread', reportError))
  worker.on('exit', guarded('tools: thread', die))

  return {
    isDead: () => isDead,
    run: (
      { input = [], ...job }: Omit<Job, 'sandbox' | 'isStreamed'> & Pick<ToolOptions, 'input'>,
      { signal, onOutput }: RunOptions,
    ) =>
      new Promise<ToolResult>((resolve) => {
        lastId += 1
        const id = lastId
        const post = (message: ToToolThread, moved: ArrayBuffer[] = []): void => worker.postMessage(message, moved)
        const abort = guarded('tools: abort', () => post({ kind: 'abort', id }))
        const end = (result: ToolResult): void => {
          signal?.removeEventListener('abort', abort)
          resolve(result)
        }
        jobs.set(id, { end, onOutput })
        signal?.addEventListener('abort', abort, { once: true })
        worker.ref()
        // A view would take all of its buffer along.
        const copies = input.map((bytes) => new Uint8Array(bytes))
        const options = { ...job.options, input: copies }
        post(
          { kind: 'run', id, job: { ...job, options, sandbox: sandbox(), isStreamed: onOutput !== undefined } },
          copies.map(({ buffer }) => buffer),
        )
      }),
  }
}

/** `onOutput` gets the output as it comes; that of the result is then empty, if the tool succeeds. */
export type RunOptions = { signal?: AbortSignal | undefined; onOutput?: OnOutput | undefined }

let thread: ReturnType<typeof startThread> | undefined

/**
 * Runs a tool to its end, in a thread of its own: on a busy machine, starting a process takes long, and the thread that
 * starts it does nothing else meanwhile.
 */
export const runTool = async (
  tool: Tool,
  args: readonly string[],
  { gateway, input, wallClockMs, maxBytes, priority, signal, onOutput }: ToolOptions & RunOptions,
): Promise<ToolResult> => {
  if (signal?.aborted === true) return failed
  if (thread === undefined || thread.isDead()) thread = startThread()
  const options: ToolOptions = {
    wallClockMs,
    maxBytes,
    priority,
    ...(gateway === undefined ? {} : { gateway: { port: gateway.port, namespaces: gateway.namespaces } }),
  }
  return thread.run({ tool, args, options, ...(input === undefined ? {} : { input }) }, { signal, onOutput })
}
