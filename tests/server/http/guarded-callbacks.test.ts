import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unguarded } from './callbacks.ts'

const server = join(import.meta.dirname, '../../../server')

const files = globSync('**/*.ts', { cwd: server }).toSorted()

describe('what is given to an event, a timer or a stream is guarded', () => {
  test.each(files)('in %s', (file) => {
    expect(unguarded(file, readFileSync(join(server, file), 'utf8'))).toEqual([])
  })

  test.each([
    ["socket.on('data', (chunk) => take(chunk))", 1],
    ["socket.once('close', take)", 1],
    ["signal.addEventListener('abort', running.kill)", 1],
    ["socket.on('data', guarded('x', take))", 0],
    ["const take = guarded('x', () => broken()); socket.on('data', take)", 0],
    ["socket.on('error', () => undefined)", 0],
    ["socket.on('error', () => {})", 0],
    [
      "new Promise((resolve, reject) => { socket.on('error', reject); socket.on('end', () => resolve({ code: null })) })",
      0,
    ],
    ["new Promise((resolve) => { socket.on('end', () => resolve(broken())) })", 1],
    ['setTimeout(take, 10)', 1],
    ['setInterval(() => void measure(), 10)', 1],
    ['setImmediate(() => take())', 1],
    ['process.nextTick(take)', 1],
    ['queueMicrotask(take)', 1],
    ['socket.setTimeout(10, () => take())', 1],
    ['socket.setTimeout(0)', 0],
    ["setTimeout(guarded('x', take), 10)", 0],
    ["import { createServer as serve } from 'node:http'; serve((request) => take(request))", 1],
    ["import { createServer } from 'node:http'; createServer(guarded('x', take))", 0],
    ["import { pipeline } from 'node:stream'; pipeline(a, b, (error) => take(error))", 1],
    ["import { pipeline } from 'node:stream/promises'; await pipeline(a, b)", 0],
    ["import { setImmediate } from 'node:timers/promises'; await setImmediate()", 0],
    ['server.listen(0, () => take())', 1],
    ['child.send(1, (error) => take(error))', 1],
    ['new Transform({ transform(chunk, encoding, done) { take(chunk) } })', 1],
    ['new Transform({ transform(chunk, encoding, done) { try { take(chunk) } catch (error) { done(error) } } })', 0],
    ['const measure = async () => 1; void measure()', 1],
    ['const measure = async () => 1; measure()', 1],
    ['const measure = async () => 1; await measure()', 0],
    ['const measure = async () => 1; measure().catch(() => undefined)', 0],
    ['promise.then(take)', 1],
    ['void promise.finally(take)', 1],
    ['void promise.then(take, drop)', 0],
    ['promise.then(take).catch(drop)', 0],
    ['rows.map((row) => take(row))', 0],
  ])('%s', (source, count) => {
    expect(unguarded('x.ts', source)).toHaveLength(count)
  })
})
