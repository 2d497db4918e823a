import { readFile, readdir } from 'node:fs/promises'
import process from 'node:process'

/** `bytes`: resident memory. */
export type ToolUsage = { count: number; bytes: number }

const pageBytes = 4096
const tools: ReadonlySet<string> = new Set(['ffmpeg', 'ffprobe'])

/** Empty if the process has ended. */
const read = (pid: string, file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')

const childrenOf = async (pid: string): Promise<string[]> => {
  const threads = await readdir(`/proc/${pid}/task`).catch((): string[] => [])
  const lists = await Promise.all(threads.map((thread) => read(pid, `task/${thread}/children`)))
  return lists.flatMap((list) => list.split(' ').filter((child) => child !== ''))
}

/** Number and memory of the ffmpeg and ffprobe processes below this one. Zero where the system has no /proc. */
export const measureTools = async (): Promise<ToolUsage> => {
  const facts = { count: 0, bytes: 0 }
  let generation = [String(process.pid)]
  while (generation.length > 0) {
    const found: string[] = []
    for (const pid of generation) found.push(...(await childrenOf(pid)))
    for (const pid of found) {
      if (!tools.has((await read(pid, 'comm')).trim())) continue
      const [, resident = '0'] = (await read(pid, 'statm')).split(' ')
      facts.count += 1
      facts.bytes += Number(resident) * pageBytes
    }
    generation = found
  }
  return facts
}
