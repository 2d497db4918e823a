import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sandbox } from '../../../server/media/sandbox.ts'
import { openListener, type Listener } from '../../../server/media/namespace.ts'
import { runTool } from '../../../server/media/run-tool.ts'

const open = async (): Promise<Listener> => {
  const listener = await openListener()
  onTestFinished(listener.close)
  return listener
}

/** The processes that hold this process's namespace open. */
const holders = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        const [line = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\n')
        const parent = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        return line.includes('namespace-holder.ts') && parent === String(process.pid)
      } catch {
        return false
      }
    })

const descriptors = (): number => readdirSync('/proc/self/fd').length

/** What ffmpeg brings from a listener that serves one word. */
const isReached = async (listener: Listener): Promise<boolean> => {
  let isConnected = false
  listener.server.once('connection', (socket) => {
    isConnected = true
    socket.destroy()
  })
  const gateway = { ...listener, failure: () => undefined, offer: () => undefined }
  await runTool('ffprobe', ['-v', 'error', '-i', `tcp://127.0.0.1:${listener.port}`], {
    gateway,
    wallClockMs: 20_000,
    maxBytes: 1000,
  })
  return isConnected
}

describe.runIf(sandbox().isolation !== undefined)('the namespace of the gateways', () => {
  test('is shared by all listeners, and its ports aren’t those of this machine', async () => {
    const listeners = await Promise.all(Array.from({ length: 20 }, open))
    expect(new Set(listeners.map(({ port }) => port)).size).toBe(20)
    expect(holders()).toHaveLength(1)
    const outside = connect(listeners[0]?.port ?? 0, '127.0.0.1')
    const refused = await once(outside, 'connect').catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
    expect(await Promise.all(listeners.slice(0, 3).map(isReached))).toEqual([true, true, true])
  })

  test('leaves no descriptor open', async () => {
    await open()
    const before = descriptors()
    const listeners = await Promise.all(Array.from({ length: 5 }, openListener))
    const closed = listeners.map(async ({ server }) => once(server, 'close'))
    for (const { close } of [...listeners, ...listeners]) close()
    await Promise.all(closed)
    expect(descriptors()).toBe(before)
  })

  test('is created again if its holder ends; what runs in the old one continues', async () => {
    const before = await open()
    const [first = 0] = holders()
    process.kill(first, 'SIGKILL')
    const after = await open()
    expect(holders()).not.toContain(first)
    expect([await isReached(before), await isReached(after)]).toEqual([true, true])
  })
})
