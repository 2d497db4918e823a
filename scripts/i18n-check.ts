import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { locales } from '../lingui.config.ts'
import { readPo } from './po.ts'

const root = join(import.meta.dirname, '..')
const fileOf = (locale: string) => join(root, 'src/i18n/locales', `${locale}.po`)

const before = locales.map((locale) => readFileSync(fileOf(locale), 'utf8'))
const problems: string[] = []
try {
  const { status, stdout, stderr } = spawnSync('lingui', ['extract', '--clean'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) problems.push(`lingui extract failed\n${stdout}${stderr}`)
  for (const [index, locale] of locales.entries()) {
    const kept = readPo(before[index] ?? '')
    const extracted = readPo(readFileSync(fileOf(locale), 'utf8'))
    for (const id of extracted.keys()) if (!kept.has(id)) problems.push(`${locale}: not in the catalogue: ${id}`)
    for (const id of kept.keys()) if (!extracted.has(id)) problems.push(`${locale}: no longer used: ${id}`)
    for (const [id, translation] of extracted) if (translation === '') problems.push(`${locale}: not translated: ${id}`)
  }
} finally {
  for (const [index, locale] of locales.entries()) writeFileSync(fileOf(locale), before[index] ?? '')
}

for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(
  problems.length === 0
    ? `Every message is in the catalogues of ${locales.join(', ')}, and translated.\n`
    : `${problems.length} problems\n`,
)
process.exitCode = problems.length === 0 ? 0 : 1
