import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { visitorMachine } from '../e2e/visitor/visitor.machine.ts'
import { designs, machines } from '../scripts/machines.ts'
import { declaredEdges } from '../src/views/dev/edges.ts'

test('the pictures and the page of docs/machines are as `npm run charts` draws them', async () => {
  const checked = promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    'scripts/charts.ts',
    '--check',
  ])
  const { stdout } = await checked.catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})

test('every machine says above its declaration what it is', () => {
  expect(
    designs()
      .filter(({ paragraph }) => !/^[A-Z].+\.$/.test(paragraph))
      .map(({ file }) => file),
  ).toEqual([])
})

test('machines of one id are of one design', () => {
  const designsOf = Map.groupBy(machines, ({ machine }) => machine.id)
  const shapes = [...designsOf].map(([id, all]) => [
    id,
    new Set(all.map(({ machine }) => JSON.stringify(Object.keys(machine.states)))).size,
  ])
  expect(shapes.filter(([, count]) => count !== 1)).toEqual([])
})

test('every edge has a name of its own', () => {
  const names = [...designs().map(({ machine }) => machine), visitorMachine].flatMap((machine) => [
    ...declaredEdges(machine).values(),
  ])
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
