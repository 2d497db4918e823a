import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { expecting, readSession } from '../tests/machines/session-file.ts'

const usage = `npm run replay -- session.json [--expect STATE]

Makes a test of a session that the inspector saved: keeps it in tests/sessions and runs it. The test fails when a machine
dies, or comes to another state than was recorded. Where what was recorded is the fault, --expect says the state in which
the last event should have left its machine: a name, or JSON such as '{"view":"live"}'.
`
const { values, positionals } = parseArgs({ options: { expect: { type: 'string' } }, allowPositionals: true })
const [source] = positionals
if (source === undefined) {
  process.stdout.write(usage)
  process.exit(1)
}

const name = basename(source, '.json')
const kept = join(import.meta.dirname, '../tests/sessions', `${name}.json`)
const session = readSession(readFileSync(source, 'utf8'))
writeFileSync(
  kept,
  `${JSON.stringify(values.expect === undefined ? session : expecting(session, values.expect), null, 2)}\n`,
)
process.stdout.write(`Kept as tests/sessions/${name}.json\n`)
const { status } = spawnSync('vitest', ['run', 'tests/sessions.test.ts', '-t', `the session ${name}$`], {
  cwd: join(import.meta.dirname, '..'),
  stdio: 'inherit',
})
process.exitCode = status ?? 1
