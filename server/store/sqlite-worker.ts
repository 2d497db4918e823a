import { parentPort, workerData } from 'node:worker_threads'
import { guarded } from '../guarded.ts'
import type { Call } from './connection.ts'
import { createExecutor, openDatabase } from './sqlite.ts'

const { file, isReader }: { file: string; isReader: boolean } = workerData
const db = openDatabase(file, isReader)
const execute = createExecutor(db)

const messageOf = (error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  const errcode = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof errcode === 'number' ? { message, errcode } : { message }
}

const end = guarded('store: close', () => {
  db.close()
  parentPort?.close()
})

const answer = guarded('store: call', (request: 'close' | { id: number; call: Call }) => {
  if (request === 'close') {
    end()
    return
  }
  const { id, call } = request
  try {
    parentPort?.postMessage({ id, reply: execute(call) })
  } catch (error) {
    parentPort?.postMessage({ id, error: messageOf(error) })
  }
})

parentPort?.on('message', answer)
