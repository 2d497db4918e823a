import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { replay } from './machines/replay.ts'
import { readSession } from './machines/session-file.ts'

/** What was recorded in the inspector and kept by `npm run replay` (docs/architecture.md, the inspector). */
test.each(
  globSync('tests/sessions/*.json')
    .toSorted()
    .map((file) => [basename(file, '.json'), file]),
)('the session %s', (_name, file) => {
  const session = readSession(readFileSync(file, 'utf8'))
  expect(replay(session)).toEqual(session.steps)
})
