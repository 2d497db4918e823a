import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isInPath } from '../../../server/media/programs.ts'

test('lost video is an alert at a start only if it is much of each camera', () => {
  const [, rule = ''] =
    /alert: SightlineLosesVideo\n([^]*?)- alert:/.exec(readFileSync('deploy/alerts.yml', 'utf8')) ?? []
  expect(rule).toMatch(
    /> 60 \+ 30 \* sum .*\(sightline_cameras\)\s+\* \(time\(\) - process_start_time_seconds < bool 1200\)/,
  )
})

test('a disk is full below its reserve, however large it is', () => {
  expect(readFileSync('deploy/alerts.yml', 'utf8')).toContain(
    'expr: sightline_archive_free_bytes < 0.5 * sightline_archive_reserve_bytes\n',
  )
})

/** Debian: prometheus. */
test.skipIf(!isInPath('promtool'))('Prometheus takes the rules, and alerts for what alert-rules.yml says', () => {
  const args = ['test', 'rules', join(import.meta.dirname, 'alert-rules.yml')]
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  expect({ status, failures: `${stdout}${stderr}`.match(/FAILED:[^]*/)?.[0] ?? '' }).toEqual({
    status: 0,
    failures: '',
  })
})
