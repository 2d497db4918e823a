import { existsSync, readFileSync, watchFile } from 'node:fs'

/**
 * Loaded before a server (`node --import`), shifts its clock by the milliseconds in the file of its URL (`?file=`), and
 * again when the file changes.
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
