import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** An embedded server of one test, which may kill it and start it again with the same data. */
export interface OwnServer {
  readonly address: string
  start(): Promise<void>
  kill(): Promise<void>
  /** Kills the server and removes its data. */
  dispose(): Promise<void>
}

/** Workers run in parallel, each with its own ports. */
const base = Number(process.env['E2E_PORT'] ?? 8191) + 20 * Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)

interface OwnOptions {
  /** Environment variables that are added or replaced. */
  env?: NodeJS.ProcessEnv
  args?: readonly string[]
  /** The data folder; by default a temporary one, which is removed with the server. */
  data?: string
}

/** `offset`: added to the port, so that servers of one worker have different ones. */
export function ownServer(offset: number, { env = {}, args = [], data }: OwnOptions = {}): OwnServer {
  const port = base + offset
  const address = `${env['TLS_CERT'] === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
  const running: { child: ChildProcess | null; data: string | null } = { child: null, data: data ?? null }
  const kill = async () => {
    const { child } = running
    running.child = null
    if (child === null || child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    address,
    async start() {
      running.data ??= mkdtempSync(join(tmpdir(), 'sightline-own-'))
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts', ...args], {
        env: {
          ...process.env,
          PORT: String(port),
          DATA_DIR: running.data,
          ADMIN_LOGIN: 'admin',
          ADMIN_PASSWORD: 'correct horse battery',
          MOTION_INDEX: 'off',
          // The tests themselves may take all of the machine.
          SETTING_LIMITS_PROCESSOR_MAX_PERCENT: '0',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      running.child = child
      const ended = once(child, 'exit').then(([code]) => {
        throw new Error(`the server at ${address} ended with ${code}`)
      })
      await Promise.race([once(child.stdout, 'data'), ended])
    },
    kill,
    async dispose() {
      await kill()
      if (running.data !== null) rmSync(running.data, { recursive: true, force: true })
    },
  }
}
