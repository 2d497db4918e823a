import process from 'node:process'

/**
 * What must not outlive this process: servers, cameras, mounts, folders. Run at the latest when it ends, by Ctrl-C too.
 */
const endings = new Set<() => void>()

/** Keeps `work`, which must be synchronous, for the end; the function returned does it now, once. */
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
