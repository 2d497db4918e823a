import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { guarded } from '../guarded.ts'

/**
 * A child process in a network namespace of its own (namespace.ts). Its arguments are the command that brings up the
 * loopback interface; each message asks for a listener in the namespace, which is passed to the parent process.
 */
const [program = '', ...args] = process.argv.slice(2)
if (spawnSync(program, args, { stdio: 'ignore' }).status !== 0) process.exit(1)

const end = guarded('namespace: end', () => process.exit(1))

process.on('disconnect', end)
process.on(
  'message',
  guarded(
    'namespace: request',
    (id) => {
      const listener = createServer()
      const release = guarded(
        'namespace: sent',
        () => listener.close(() => process.send?.({ id, kind: 'released' })),
        end,
      )
      const send = guarded(
        'namespace: listening',
        () => process.send?.({ id, kind: 'listener' }, listener, release),
        end,
      )
      listener.on('error', end)
      listener.listen(0, '127.0.0.1', send)
    },
    end,
  ),
)
process.send?.({ kind: 'ready' })
