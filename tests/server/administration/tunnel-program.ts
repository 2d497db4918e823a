import { connect, createServer } from 'node:net'
import process from 'node:process'

/**
 * A tunnel for tests: forwards a free port of this machine to the given port. Usage: tunnel-program PORT [silent
 * [OUTSIDE]]
 */
const [port, mode, outsidePort = '0'] = process.argv.slice(2)
const server = createServer((outside) => {
  const inside = connect(Number(port), '127.0.0.1')
  outside.pipe(inside).pipe(outside)
  outside.on('error', () => inside.destroy())
  inside.on('error', () => outside.destroy())
})
server.listen(Number(outsidePort), '127.0.0.1', () => {
  const address = server.address()
  if (mode !== 'silent' && address !== null && typeof address !== 'string') {
    process.stdout.write(`forwarding\nyour address is http://127.0.0.1:${address.port}/ and holds\n`)
  }
})
