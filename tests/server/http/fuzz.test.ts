import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fuzz } from '../../../scripts/fuzz/run.ts'

test('no odd input makes the server fail, hang or tell of its inside, whoever sends it (npm run fuzz sends ten thousand)', async () => {
  const { routes, faults } = await fuzz(1000, 20_261_122)
  expect(faults).toEqual([])
  const documented = readFileSync('docs/access.md', 'utf8').matchAll(/^\| ([A-Z]+ [^ ?|]+)/gm)
  const unasked = [...documented].map(([, route = '']) => route).filter((route) => !routes.has(route))
  expect(unasked).toEqual([])
}, 180_000)
