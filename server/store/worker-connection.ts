import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { guarded } from '../guarded.ts'
import { StoreError, type Connection, type Reply } from './connection.ts'

type Answer = { id: number; reply: Reply } | { id: number; error: { message: string; errcode?: number } }

const program = new URL('sqlite-worker.ts', import.meta.url)

/** A SQLite connection in a thread of its own. If the thread dies, its calls fail. */
export const connectWorker = (file: string, isReader: boolean): Connection & { kill: () => Promise<void> } => {
  const worker = new Worker(program, { workerData: { file, isReader }, name: isReader ? 'store reader' : 'store' })
  const waiting = new Map<number, PromiseWithResolvers<Reply>>()
  let lastId = 0
  let failure: Error | undefined
  const exited = once(worker, 'exit').catch(() => undefined)

  /** Removes a waiting call. The thread keeps the process running only while calls wait. */
  const takeCall = (id: number): PromiseWithResolvers<Reply> | undefined => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    return call
  }
  const fail = (error: Error): void => {
    failure ??= error
    for (const id of waiting.keys()) takeCall(id)?.reject(failure)
  }

  worker.unref()
  worker.on(
    'message',
    guarded('store: answer', (answer: Answer) => {
      const call = takeCall(answer.id)
      if ('reply' in answer) call?.resolve(answer.reply)
      else call?.reject(new StoreError(answer.error.message, answer.error.errcode))
    }),
  )
  worker.on('error', guarded('store: thread', fail))
  worker.on(
    'exit',
    guarded('store: thread', () => fail(new StoreError('The thread of the database ended'))),
  )

  return {
    call: async (call) => {
      if (failure !== undefined) throw failure
      const id = (lastId += 1)
      const reply = Promise.withResolvers<Reply>()
      waiting.set(id, reply)
      worker.ref()
      worker.postMessage({ id, call })
      return reply.promise
    },
    pending: () => waiting.size,
    isOpen: () => failure === undefined,
    close: async () => {
      if (failure !== undefined) return
      worker.ref()
      worker.postMessage('close')
      await exited
    },
    kill: async () => {
      await worker.terminate()
    },
  }
}
