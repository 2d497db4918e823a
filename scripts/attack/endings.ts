import process from 'node:process'

/** Cleanup of servers, cameras, mounts and folders, at the latest when this process ends, also by Ctrl-C. */
const endings = new Set<() => void>()

/** Runs the synchronous `work` at the end; the returned function runs it now, once. */
export const atEnd = (work: () => void): (() => void) => {
  const once = () => {
    if (endings.delete(once)) work()
  }
  endings.add(once)
  return once
}

const endAll = (): void => {
  for (const ending of [...endings].toReversed()) {
    try {
      ending()
    } catch (error) {
      process.stderr.write(`left behind: ${String(error)}\n`)
    }
  }
}

process.once('exit', endAll)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
