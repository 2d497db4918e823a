import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { coverageFile, coveragePage, problems } from './specification.ts'

const found = problems()
for (const problem of found) process.stdout.write(`${problem}\n`)
if (found.length === 0) writeFileSync(coverageFile, coveragePage())
process.stdout.write(found.length === 0 ? 'Every row has its tests: docs/coverage.md\n' : `${found.length} problems\n`)
process.exitCode = found.length === 0 ? 0 : 1
