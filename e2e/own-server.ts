import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** An embedded server of a test's own, which it may kill and start again over the same data. */
export interface OwnServer {
  readonly address: string
  start(): Promise<void>
  kill(): Promise<void>
  /** Kills it and removes its data. */
  dispose(): Promise<void>
}

/** Workers run side by side, each with ports of its own. */
const base = Number(process.env['E2E_PORT'] ?? 8191) + 20 * Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)

interface OwnOptions {
  /** Variables of its environment, in addition or instead. */
  env?: NodeJS.ProcessEnv
  args?: readonly string[]
  /** Where it keeps its data; a folder that goes with it otherwise. */
  data?: string
}

/** `offset` keeps its port apart from the others of the same worker. */
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
