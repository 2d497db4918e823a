import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { startPostgres, type Postgres } from './postgres.ts'
import { startS3, type S3 } from './s3.ts'

const root = join(import.meta.dirname, '..')
const bucket = 'site'

export type NodeServer = {
  id: string
  url: string
  child: ChildProcess
  /** Resolves once it listens. Rejects if it ends before. */
  ready: Promise<void>
}

/**
 * `data`: the name of its folder, by default its id; a second server with the same id needs another one.
 * `clockAheadMs`: how far the clock of the server and its workers is ahead.
 */
type NodeOptions = { data?: string; clockAheadMs?: number }

export type Site = {
  postgres: Postgres
  s3: S3
  /** `ARCHIVE_URL` of the nodes. */
  archiveUrl: string
  /** Starts a node, or starts it again with the data that it had. */
  start: (id: string, port: number, options?: NodeOptions) => NodeServer
  /** Stops the nodes that run, then database and bucket, and removes all data. */
  remove: () => Promise<void>
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** A database and a bucket for several servers of this machine. Ctrl-C on the terminal reaches none of them. */
export const openSite = async (env: NodeJS.ProcessEnv = {}): Promise<Site> => {
  const postgres = await startPostgres({ detached: true })
  const s3 = await startS3({ detached: true }).catch(async (error: unknown) => {
    await postgres.remove()
    throw error
  })
  const folder = mkdtempSync(join(tmpdir(), 'sightline-cluster-'))
  const secret = randomBytes(24).toString('hex')
  const servers = new Set<NodeServer>()
  await s3.makeBucket(bucket)

  const clockImport = (file: string, aheadMs: number): string => {
    writeFileSync(file, String(aheadMs))
    const module = pathToFileURL(join(import.meta.dirname, 'attack/clock.ts'))
    module.searchParams.set('file', file)
    return module.href
  }

  const start: Site['start'] = (id, port, { data = id, clockAheadMs = 0 } = {}) => {
    const dataDir = join(folder, data)
    mkdirSync(dataDir, { recursive: true })
    const url = `http://127.0.0.1:${port}`
    const imports = clockAheadMs === 0 ? [] : ['--import', clockImport(`${dataDir}.clock`, clockAheadMs)]
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...imports, 'server/main.ts'], {
      cwd: root,
      detached: true,
      env: {
        ...process.env,
        ...env,
        ...s3.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: postgres.url,
        ARCHIVE_URL: s3.urlOf(bucket),
        NODE_ID: id,
        NODE_URL: url,
        CLUSTER_SECRET: secret,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ready = Promise.withResolvers<void>()
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('Sightline is at ')) ready.resolve()
    })
    child.once('exit', (code, signal) => ready.reject(new Error(`${id} ended: ${code ?? signal}`)))
    const server = { id, url, child, ready: ready.promise }
    servers.add(server)
    return server
  }

  const stop = async ({ child }: NodeServer): Promise<void> => {
    if (hasEnded(child)) return
    const isOver = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    await isOver
  }
  const remove = async (): Promise<void> => {
    await Promise.all([...servers].map(stop))
    await Promise.all([postgres.remove(), s3.remove()])
    rmSync(folder, { recursive: true, force: true })
  }
  return { postgres, s3, archiveUrl: s3.urlOf(bucket), start, remove }
}
