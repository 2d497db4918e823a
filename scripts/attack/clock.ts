import { existsSync, readFileSync, watchFile } from 'node:fs'

/**
 * Loaded before a server (`node --import`), it shifts that server's clock by the milliseconds that the file in
 * its address (`?file=`) has, and again whenever the file changes: a clock that steps while the server runs.
 */
const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const read = (): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0)
const trueNow = Date.now.bind(Date)
let shift = read()
watchFile(file, { interval: 100, persistent: false }, () => {
  shift = read()
})

Date.now = () => trueNow() + shift
globalThis.Date = new Proxy(Date, {
  construct: (target, args, to) => Reflect.construct(target, args.length === 0 ? [trueNow() + shift] : args, to),
})
