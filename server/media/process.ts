import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fence } from './fence.ts'

export type Tool = 'ffmpeg' | 'ffprobe'

export type Running = {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  /** The last 4 kB of what it complained about; for classifying, never for showing. */
  complaints: () => string
  /** Ends it at once; harmless when it has ended. */
  kill: () => void
  /** Settles when it has ended and its output was read; never rejects. */
  ended: Promise<{ exitCode: number | null }>
}

const complaintsKept = 4096

/**
 * Starts ffmpeg or ffprobe without a shell, within the fence and with an environment of its own: the PATH, and the gateway as the only way out.
 * `wallClockMs` ends it whatever it does.
 */
export const startTool = (
  tool: Tool,
  args: readonly string[],
  options: { gatewayPort?: number; wallClockMs?: number } = {},
): Running => {
  const { before, user } = fence()
  const [program = tool, ...rest] = [...before, tool, ...args]
  const child = spawn(program, rest, {
    ...user,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      LC_ALL: 'C.UTF-8',
      ...(options.gatewayPort === undefined ? {} : { http_proxy: `http://127.0.0.1:${options.gatewayPort}` }),
    },
  })
  let tail = ''
  child.stderr.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('latin1')).slice(-complaintsKept)
  })
  // A reader that ended early is a broken pipe here; the exit tells.
  child.stdin.on('error', () => undefined)
  const kill = () => {
    child.kill('SIGKILL')
  }
  const limit = options.wallClockMs === undefined ? undefined : setTimeout(kill, options.wallClockMs)
  const ended = new Promise<{ exitCode: number | null }>((resolve) => {
    child.once('error', () => resolve({ exitCode: null }))
    child.once('close', (exitCode) => resolve({ exitCode }))
  })
  void ended.then(() => clearTimeout(limit))
  return { child, complaints: () => tail, kill, ended }
}

/** Runs a tool to its end; undefined where it failed, gave nothing, or gave more than `maxBytes`. */
export const runTool = async (
  tool: Tool,
  args: readonly string[],
  options: { gatewayPort?: number; wallClockMs: number; maxBytes: number; input?: readonly Uint8Array[]; signal?: AbortSignal },
): Promise<{ output: Buffer | undefined; complaints: string }> => {
  const running = startTool(tool, args, options)
  const chunks: Buffer[] = []
  let bytes = 0
  running.child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > options.maxBytes) running.kill()
    else chunks.push(chunk)
  })
  options.signal?.addEventListener('abort', running.kill, { once: true })
  for (const part of options.input ?? []) running.child.stdin.write(part)
  running.child.stdin.end()
  const { exitCode } = await running.ended
  options.signal?.removeEventListener('abort', running.kill)
  const isWhole = exitCode === 0 && bytes > 0 && bytes <= options.maxBytes
  return { output: isWhole ? Buffer.concat(chunks) : undefined, complaints: running.complaints() }
}
