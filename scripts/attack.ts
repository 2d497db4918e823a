import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { attacks } from './attack/all.ts'
import { perform, type Finding } from './attack/scene.ts'
import { givenSpace, loopback, makeSpace, type Space } from './attack/space.ts'

/**
 * `npm run attack [-- --only 'gateway|audit'] [--json] [--report FILE] [--list]`: attacks its own embedded servers with
 * hostile cameras, strangers, users and disks, one attack after another; prints a table of the results, and fails if an
 * attack succeeds (docs/security.md). As root on Linux it runs in its own network namespaces, otherwise only on
 * loopback, without the attacks that need another machine.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
})
const only = new RegExp(values.only, 'i')
const wanted = attacks.filter(({ name }) => only.test(name))

/** Runs the same command in the network namespace; returns its exit code. */
const again = async (enter: readonly string[], env: Record<string, string>): Promise<number> => {
  const [program = '', ...args] = [...enter, process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  // Ctrl-C signals both processes; this one cleans up after the other has ended.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal)
    process.on(signal, () => void child.kill(signal))
  }
  const [code] = await once(child, 'exit')
  return typeof code === 'number' ? code : 130
}

const print = (line: string): void => void (values.json ? process.stderr : process.stdout).write(`${line}\n`)
const rowOf = ({ attack, attempt, result, verdict }: Finding): string =>
  `| ${[attack, attempt, result, verdict].map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`

const attackAll = async (space: Space): Promise<number> => {
  if (process.platform === 'linux' && process.getuid?.() === 0) setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
  if (!space.isIsolated)
    print(
      'No network namespaces can be made here (they take root on Linux): everything is on loopback, ' +
        'and what needs another machine is skipped.',
    )
  const findings: Finding[] = []
  for (const attack of wanted) {
    const began = performance.now()
    print(`${attack.name}…`)
    findings.push(
      ...(await perform(attack, space, ({ attempt, result, verdict }) => print(`  ${verdict}: ${attempt}: ${result}`))),
    )
    print(`  ${((performance.now() - began) / 1000).toFixed(0)} s`)
  }
  const count = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict).length
  if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(findings))
  if (values.json) process.stdout.write(`${JSON.stringify(findings, undefined, 2)}\n`)
  else print(['', '| Attack | Tried | Result | |', '|---|---|---|---|', ...findings.map(rowOf), ''].join('\n'))
  print(`${count('held')} held, ${count('broken')} broken, ${count('skipped')} skipped`)
  return count('broken') === 0 && findings.length > 0 ? 0 : 1
}

const run = async (): Promise<number> => {
  if (values.list) {
    for (const { name } of wanted) print(name)
    return 0
  }
  const given = givenSpace()
  if (given !== undefined) return attackAll(given)
  const made = makeSpace()
  return made === undefined ? attackAll(loopback) : again(made.enter, made.env)
}

process.exit(await run())
