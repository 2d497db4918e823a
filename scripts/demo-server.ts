import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An embedded server with the demo cameras and data of its own, for tests of several runs (e2e/test.ts). */
export interface DemoServer {
  readonly address: string
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

export async function startDemoServer(port: number): Promise<DemoServer> {
  const data = mkdtempSync(join(tmpdir(), 'sightline-demo-'))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: data,
      ADMIN_LOGIN: 'admin',
      ADMIN_PASSWORD: 'correct horse battery',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  return {
    address: `http://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode === null && child.kill()) await once(child, 'exit')
      rmSync(data, { recursive: true, force: true })
    },
  }
}
