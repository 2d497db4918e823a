import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { guarded } from '../guarded.ts'
import { joinGroup } from './control-groups.ts'
import { sandbox, type Sandbox } from './sandbox.ts'
import type { Gateway } from './gateway.ts'

export type Tool = 'ffmpeg' | 'ffprobe'

export type Running = {
  child: { pid: number | undefined; stdin: Writable; stdout: Readable; stderr: Readable }
  /** The last 4 kB of stderr, to classify a failure; never shown. */
  stderrTail: () => string
  kill: () => void
  /** Resolves when the process has ended and its output is read. Never rejects. */
  ended: Promise<{ exitCode: number | null }>
}

/** What a tool needs of its gateway. */
export type ToolGateway = Pick<Gateway, 'port' | 'namespaces'>

const stderrTailLength = 4096

const commandOf = (
  { isolation, before }: Sandbox,
  tool: Tool,
  args: readonly string[],
  gateway: ToolGateway | undefined,
): string[] => [...((gateway === undefined ? isolation?.alone : isolation?.join) ?? []), ...before, tool, ...args]

/** Stands for a process that could not be started. */
const notStarted = (): Running => ({
  child: {
    pid: undefined,
    stdin: new PassThrough().resume(),
    stdout: new PassThrough().end().resume(),
    stderr: new PassThrough(),
  },
  stderrTail: () => '',
  kill: () => undefined,
  ended: Promise.resolve({ exitCode: null }),
})

const tryToSpawn = (program: string, args: readonly string[], options: SpawnOptions): ChildProcess | undefined => {
  try {
    return spawn(program, args, options)
  } catch {
    return undefined
  }
}

/** If the processor is busy, `encoding` waits for tools that only copy, and `background` for all others. */
export type ToolPriority = 'encoding' | 'background'

const lowerPriority = (pid: number | undefined, priority: ToolPriority): void => {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  try {
    if (pid !== undefined) setPriority(pid, priority === 'encoding' ? PRIORITY_BELOW_NORMAL : PRIORITY_LOW)
  } catch {
    // The process has ended, or the system forbids the change.
  }
}

/** Starts a tool in the sandbox, without a shell; its environment has PATH, a locale and the proxy. Never throws. */
export const startTool = (
  tool: Tool,
  args: readonly string[],
  options: { gateway?: ToolGateway; wallClockMs?: number; priority?: ToolPriority | undefined } = {},
): Running => {
  const box = sandbox()
  const [program = tool, ...rest] = commandOf(box, tool, args, options.gateway)
  const spawned = tryToSpawn(program, rest, {
    ...box.user,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe', ...(options.gateway?.namespaces ?? [])],
    env: {
      PATH: process.env['PATH'] ?? '',
      LC_ALL: 'C.UTF-8',
      ...(options.gateway === undefined ? {} : { http_proxy: `http://127.0.0.1:${options.gateway.port}` }),
    },
  })
  if (spawned === undefined) return notStarted()
  if (options.priority !== undefined) lowerPriority(spawned.pid, options.priority)
  if (box.group !== undefined && spawned.pid !== undefined) joinGroup(box.group, spawned.pid)
  const kill = guarded('process: end', () => spawned.kill('SIGKILL'))
  const limit = options.wallClockMs === undefined ? undefined : setTimeout(kill, options.wallClockMs)
  const ended = new Promise<{ exitCode: number | null }>((resolve) => {
    const settle = (exitCode: number | null) => {
      clearTimeout(limit)
      resolve({ exitCode })
    }
    spawned.on(
      'error',
      guarded('process: error', () => settle(null)),
    )
    spawned.once('close', guarded('process: exit', settle))
  })
  const { pid, stdin, stdout, stderr } = spawned
  // The pipes are missing if no file descriptor was free; an `error` event follows.
  if (stdin == null || stdout == null || stderr == null) return { ...notStarted(), ended }
  for (const pipe of [stdin, stdout, stderr]) pipe.on('error', () => undefined)
  let tail = ''
  const keepTail = (chunk: Buffer) => {
    tail = (tail + chunk.toString('latin1')).slice(-stderrTailLength)
  }
  stderr.on('data', guarded('process: stderr', keepTail, kill))
  return { child: { pid, stdin, stdout, stderr }, stderrTail: () => tail, kill, ended }
}

export type ToolOptions = {
  gateway?: ToolGateway
  wallClockMs: number
  maxBytes: number
  input?: readonly Uint8Array[]
  priority?: ToolPriority | undefined
}

/** `output`: undefined if the tool failed, wrote nothing, or wrote more than `maxBytes`. */
export type ToolResult = { output: Buffer | undefined; stderrTail: string }

/** Runs a tool to its end in this thread. `onOutput`: instead of collecting the output. */
export const runToolHere = async (
  tool: Tool,
  args: readonly string[],
  options: ToolOptions & { signal?: AbortSignal; onOutput?: ((chunk: Buffer) => void) | undefined },
): Promise<ToolResult> => {
  if (options.signal?.aborted === true) return { output: undefined, stderrTail: '' }
  const running = startTool(tool, args, options)
  const chunks: Buffer[] = []
  let bytes = 0
  const collect = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > options.maxBytes) running.kill()
    else if (options.onOutput === undefined) chunks.push(chunk)
    else options.onOutput(chunk)
  }
  running.child.stdout.on('data', guarded('process: output', collect, running.kill))
  const abort = guarded('process: abort', running.kill)
  options.signal?.addEventListener('abort', abort, { once: true })
  for (const part of options.input ?? []) running.child.stdin.write(part)
  running.child.stdin.end()
  const { exitCode } = await running.ended
  options.signal?.removeEventListener('abort', abort)
  const isWhole = exitCode === 0 && bytes > 0 && bytes <= options.maxBytes
  return { output: isWhole ? Buffer.concat(chunks) : undefined, stderrTail: running.stderrTail() }
}
