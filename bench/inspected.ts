import { once } from 'node:events'
import * as z from 'zod/mini'
import { freePort } from '../scripts/free-port.ts'

const Targets = z.array(z.object({ webSocketDebuggerUrl: z.string() }))
const Answer = z.object({ id: z.number(), result: z.optional(z.unknown()) })

/** A Node process, by the protocol of its inspector. */
export interface Inspected {
  call(method: string, params?: object): Promise<unknown>
  close(): void
}

/** The environment with which a server can be inspected, and a function to connect to it. */
export async function inspectedNode(): Promise<{ env: NodeJS.ProcessEnv; open(): Promise<Inspected> }> {
  const port = await freePort()
  return {
    env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` },
    async open() {
      const [target] = z.parse(Targets, await (await fetch(`http://127.0.0.1:${port}/json`)).json())
      const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
      await once(socket, 'open')
      let last = 0
      return {
        async call(method, params = {}) {
          last += 1
          const id = last
          socket.send(JSON.stringify({ id, method, params }))
          for (;;) {
            const [event] = await once(socket, 'message')
            const { data } = z.safeParse(Answer, JSON.parse(String(event.data)))
            if (data?.id === id) return data.result
          }
        },
        close: () => socket.close(),
      }
    },
  }
}
