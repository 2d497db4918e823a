import { once } from 'node:events'
import * as z from 'zod/mini'
import { freePort } from '../scripts/free-port.ts'

const Targets = z.array(z.object({ webSocketDebuggerUrl: z.string() }))
const Answer = z.object({ id: z.number(), result: z.optional(z.unknown()) })

/** One process of ours, asked by the protocol of Node's inspector. */
export interface Inspected {
  call(method: string, params?: object): Promise<unknown>
  close(): void
}

/** What a server of ours is to be started with so that it can be inspected, and how it then is. */
export async function inspected(): Promise<{ env: NodeJS.ProcessEnv; open(): Promise<Inspected> }> {
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
