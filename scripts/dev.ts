import { createServer } from 'vite'
import { join } from 'node:path'
import { readOptions, usage } from '../server/options.ts'
import { build, portOf, untilStopped } from '../server/start.ts'

/** The console with hot reload and the server at one address; changes of the server need a restart. */
const options = readOptions(process.argv.slice(2), process.env)
if (options === undefined) {
  process.stdout.write(usage)
  process.exit(0)
}

const { app, notices } = await build({ ...options, tls: undefined })
await app.listen({ host: '127.0.0.1', port: 0 })
const target = `http://127.0.0.1:${portOf(app)}`

const vite = await createServer({
  root: join(import.meta.dirname, '..'),
  server: {
    host: options.host,
    port: options.port,
    strictPort: true,
    allowedHosts: options.allowedHosts.map((name) => name.replace(/^\*/, '')),
    proxy: { '/v1': { target }, '/ui/config.json': { target } },
  },
})
await vite.listen()
vite.printUrls()
for (const notice of notices) process.stdout.write(`${notice}\n`)

await untilStopped()
setTimeout(() => process.exit(1), 10_000).unref()
await Promise.all([vite.close(), app.close()])
process.exit(0)
