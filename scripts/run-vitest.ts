import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Parses `[REPORT.json [FILE …]]`; refuses a test's name instead of the report's. */
export const argumentsOf = (defaultReport: string): { report: string; files: string[] } => {
  const [, , report = join('test-results', defaultReport), ...files] = process.argv
  if (!report.endsWith('.json')) throw new Error(`The report goes to a .json file, not to ${report}`)
  return { report, files }
}

/** Runs the short tests of these files, and exits with vitest's code. */
export const runVitest = async (report: string, files: readonly string[], env: NodeJS.ProcessEnv): Promise<void> => {
  const args = ['--project=!long', '--maxWorkers=3', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn('vitest', ['run', ...args, ...files], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  process.exitCode = code === 0 ? 0 : 1
}
