import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../../scripts/free-port.ts'

const sshd = '/usr/sbin/sshd'

/** Whether this machine has OpenSSH, client and server; as root, sshd also needs its folder. */
export const canForward =
  existsSync(sshd) && spawnSync('ssh', ['-V']).error === undefined && (userInfo().uid !== 0 || existsSync('/run/sshd'))

/** The descendants of a process, the innermost first. */
const servedBy = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '')
    .map(Number)
    .flatMap((child) => [...servedBy(child), child])

/** An OpenSSH server on loopback with its own keys, which only forwards ports. */
export async function sshServer(): Promise<{ command: (outside: number) => string[]; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-ssh-'))
  const file = (name: string) => join(folder, name)
  for (const name of ['host', 'key']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)])
  const port = await freePort()
  const options = [
    `ListenAddress=127.0.0.1:${port}`,
    `HostKey=${file('host')}`,
    `AuthorizedKeysFile=${file('key.pub')}`,
    'PidFile=none',
    'UsePAM=no',
    'StrictModes=no',
    'PasswordAuthentication=no',
    'PermitRootLogin=prohibit-password',
    'AllowTcpForwarding=remote',
    'PermitTTY=no',
  ]
  writeFileSync(file('config'), '')
  const child = spawn(sshd, ['-D', '-e', '-f', file('config'), ...options.flatMap((option) => ['-o', option])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    let output = ''
    createInterface({ input: child.stderr }).on('line', (line) => {
      output += `${line}\n`
      if (line.includes(`listening on 127.0.0.1 port ${port}`)) resolve()
    })
    void ended.then(() => reject(new Error(output)))
  })
  return {
    command: (outside) => [
      'ssh',
      '-N',
      '-F',
      'none',
      '-i',
      file('key'),
      '-p',
      String(port),
      '-o',
      'IdentitiesOnly=yes',
      '-o',
      'BatchMode=yes',
      '-o',
      'ExitOnForwardFailure=yes',
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      `UserKnownHostsFile=${file('known')}`,
      '-R',
      `127.0.0.1:${outside}:127.0.0.1:{port}`,
      `${userInfo().username}@127.0.0.1`,
    ],
    /** Includes the processes of its connections. */
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      for (const pid of servedBy(child.pid ?? 0)) process.kill(pid, 'SIGKILL')
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
