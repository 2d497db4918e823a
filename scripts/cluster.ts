import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { print, stopSignal } from '../server/commands/command.ts'
import { openSite } from './nodes.ts'
import { hasPostgres } from './postgres.ts'
import { hasS3 } from './s3.ts'

/**
 * Several servers of one cluster on this machine, with a PostgreSQL and an S3-compatible store of their own and the demo
 * cameras, until Ctrl-C: `npm run cluster -- --nodes 3 --port 8081`. Nothing is kept.
 */
const { values } = parseArgs({
  options: { nodes: { type: 'string', default: '3' }, port: { type: 'string', default: '8081' } },
})
const count = Number(values.nodes)
const firstPort = Number(values.port)
const mostNodes = 9

const missing = [
  ...(Number.isInteger(count) && count >= 1 && count <= mostNodes ? [] : [`--nodes takes 1 to ${mostNodes}`]),
  ...(Number.isInteger(firstPort) && firstPort > 0 ? [] : ['--port takes the port of the first node']),
  ...(hasPostgres() ? [] : ['PostgreSQL is missing (Debian: sudo apt-get install postgresql)']),
  ...(hasS3()
    ? []
    : ['Ceph is missing (Debian: sudo apt-get install --no-install-recommends ceph-mon ceph-osd radosgw)']),
]
if (missing.length > 0) {
  for (const line of missing) process.stderr.write(`${line}\n`)
  process.exit(2)
}

const stopping = stopSignal()
const stopped = once(stopping, 'abort')
const login = process.env['ADMIN_LOGIN'] ?? 'admin'
const password = process.env['ADMIN_PASSWORD'] ?? randomBytes(12).toString('base64url')
const site = await openSite({ ADMIN_LOGIN: login, ADMIN_PASSWORD: password })
try {
  // One after the other: the first one makes the tables, the administrator and the demo cameras.
  for (let number = 1; number <= count && !stopping.aborted; number += 1) {
    const id = `node-${number}`
    const { ready, child } = site.start(id, firstPort + number - 1)
    await Promise.race([ready, stopped])
    child.once('exit', (code, signal) => {
      if (!stopping.aborted) print(`${id} ended: ${code ?? signal}`)
    })
    if (!stopping.aborted) print(`${id}: http://127.0.0.1:${firstPort + number - 1}/ui/   process ${child.pid}`)
  }
  if (!stopping.aborted) {
    print(`Sign in as ${login} with the password ${password}. Administration → Cluster shows which node records what.`)
    print('Stop a node by kill or kill -9 with its process number; Ctrl-C stops all and removes the data.')
    await stopped
  }
} finally {
  print('Stopping …')
  await site.remove()
}
process.exit(0)
