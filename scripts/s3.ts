import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph', 'monmaptool']
const folderOf = (name: string): string | undefined =>
  ['/usr/bin', '/usr/sbin', '/usr/local/bin'].find((folder) => existsSync(join(folder, name)))

export const hasS3 = (): boolean => programs.every((name) => folderOf(name) !== undefined)

/** The user of the gateway. */
const accessKey = 'sightline'
const secretKey = 'sightline-secret'

export type S3 = {
  /** `ARCHIVE_URL` with another bucket or prefix. */
  urlOf: (bucket: string, prefix?: string) => string
  endpoint: string
  makeBucket: (name: string) => Promise<void>
  /** Credentials for the SDK. */
  env: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string }
  /** Stops the gateway by SIGSTOP, until `resume`. Resolves once none of its threads runs. */
  suspend: () => Promise<void>
  resume: () => void
  /** Kills the gateway by SIGKILL; `start` starts it again. */
  cut: () => Promise<void>
  start: () => Promise<void>
  remove: () => Promise<void>
}

const isUp = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  )

/** One thread takes the signal and then stops the others, which may answer a request meanwhile. */
const suspend = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGSTOP')
  const tasks = `/proc/${child.pid}/task`
  const isStopped = (thread: string) => / T /.test(readFileSync(join(tasks, thread, 'stat'), 'utf8'))
  while (!readdirSync(tasks).every(isStopped)) await pause(5)
}

/**
 * A separate S3-compatible server: Ceph's gateway with one monitor and one object store in memory. `detached`: Ctrl-C on
 * the terminal doesn't reach it, so the caller must remove it.
 */
export const startS3 = async ({ detached = false } = {}): Promise<S3> => {
  if (!hasS3()) {
    throw new Error(
      'Ceph is not installed (Debian: sudo apt-get install --no-install-recommends ceph-mon ceph-osd radosgw)',
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'sightline-s3-'))
  const at = (...names: string[]): string => join(folder, ...names)
  const [port, monitorPort] = [await freePort(), await freePort()]
  const endpoint = `http://127.0.0.1:${port}`
  const id = randomUUID()
  const conf = at('ceph.conf')
  writeFileSync(
    conf,
    `[global]
fsid = ${id}
mon_host = v1:127.0.0.1:${monitorPort}
monmap = ${at('monmap')}
mon_initial_members = a
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
paxos_propose_interval = 0.02
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
mon_allow_pool_size_one = true
mon_warn_on_pool_no_redundancy = false
mon_max_pg_per_osd = 2000
osd_crush_chooseleaf_type = 0
# What it asks the monitor before it has met it is refused ("wrong fsid"), and it ends.
osd_class_update_on_start = false
osd_crush_update_on_start = false
osd_objectstore = memstore
memstore_device_bytes = 8589934592
osd_class_dir = /usr/lib/x86_64-linux-gnu/rados-classes
run_dir = ${folder}
admin_socket =
log_file = ${at('$name.log')}
pid_file =
[mon.a]
mon_data = ${at('mon')}
[osd.0]
osd_data = ${at('osd')}
[client.rgw]
rgw_frontends = beast endpoint=127.0.0.1:${port}
rgw_data = ${at('rgw')}
`,
  )
  for (const name of ['mon', 'osd', 'rgw']) mkdirSync(at(name))

  /** Retries EPERM ("wrong fsid"), which a client gets before the monitor knows its cluster. */
  const run = (name: string, ...args: string[]): string => {
    for (let tries = 1; ; tries += 1) {
      const { status, stdout, stderr } = spawnSync(name, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 })
      if (status === 0) return stdout.trim()
      if (tries === 10 || !stderr.includes('EPERM')) throw new Error(`${name} ${args.join(' ')}: ${stderr}`)
    }
  }
  const children = new Set<ChildProcess>()
  // Pipes to the daemons would keep this process alive.
  const daemon = (name: string, ...args: string[]): ChildProcess => {
    const child = spawn(name, ['-c', conf, '-f', ...args], { cwd: folder, detached, stdio: 'ignore' })
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }
  const end = async (child: ChildProcess): Promise<void> => {
    const isOver = child.exitCode !== null || child.signalCode !== null
    child.kill('SIGKILL')
    if (!isOver) await once(child, 'exit')
  }

  const remove = async (): Promise<void> => {
    for (const child of children) await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  const startGateway = async (): Promise<ChildProcess> => {
    const child = daemon('radosgw', '-n', 'client.rgw')
    while (!(await isUp(endpoint))) {
      if (child.exitCode !== null) throw new Error(`radosgw ended, code ${child.exitCode}`)
      await pause(50)
    }
    return child
  }

  try {
    run(
      'monmaptool',
      '--create',
      '--clobber',
      '--fsid',
      id,
      '--addv',
      'a',
      `[v1:127.0.0.1:${monitorPort}]`,
      at('monmap'),
    )
    run('ceph-mon', '-c', conf, '--mkfs', '-i', 'a', '--monmap', at('monmap'))
    daemon('ceph-mon', '-i', 'a')
    const osd = randomUUID()
    run('ceph', '-c', conf, 'osd', 'new', osd, '0')
    run('ceph-osd', '-c', conf, '-i', '0', '--mkfs', '--osd-uuid', osd)
    run('ceph', '-c', conf, 'osd', 'crush', 'add', 'osd.0', '1', 'root=default')
    const store = daemon('ceph-osd', '-i', '0')
    while (!run('ceph', '-c', conf, 'osd', 'stat').includes('1 up')) {
      if (store.exitCode !== null) throw new Error(`ceph-osd ended, code ${store.exitCode}`)
      await pause(50)
    }
    const user = ['--uid=sightline', '--display-name=Sightline', `--access-key=${accessKey}`, `--secret=${secretKey}`]
    run('radosgw-admin', '-c', conf, '-n', 'client.rgw', 'user', 'create', ...user)
  } catch (error) {
    await remove()
    throw error
  }
  let gateway = await startGateway()
  return {
    endpoint,
    makeBucket: async (name) => {
      const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey }
      const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
      await client.send(new CreateBucketCommand({ Bucket: name }))
      client.destroy()
    },
    urlOf: (bucket, prefix = '') =>
      `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1&forcePathStyle=true`,
    env: { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey },
    suspend: () => suspend(gateway),
    resume: () => void gateway.kill('SIGCONT'),
    cut: () => end(gateway),
    start: async () => {
      gateway = await startGateway()
    },
    remove,
  }
}
