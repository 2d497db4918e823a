import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StateMachine, type AnyStateMachine } from 'xstate'

const root = join(import.meta.dirname, '..')

interface NamedMachine {
  /** The file that exports it, from the root of the project. */
  file: string
  /** The name it is exported by. */
  name: string
  machine: AnyStateMachine
}

/**
 * All machines of the project: every machine that a file of src/machines or src/views/dev exports. Machines of one
 * factory (resources, forms, tiles) have the same id.
 */
async function findMachines(): Promise<NamedMachine[]> {
  const files = globSync(['src/machines/**/*.ts', 'src/views/dev/**/*.machine.ts'], {
    cwd: root,
    exclude: (name) => name.endsWith('.test.ts'),
  }).toSorted()
  const modules = await Promise.all(
    files.map(async (file): Promise<[string, Record<string, unknown>]> => [file, await import(join(root, file))]),
  )
  return modules.flatMap(([file, exported]) =>
    Object.entries(exported).flatMap(([name, machine]) =>
      machine instanceof StateMachine ? [{ file, name, machine }] : [],
    ),
  )
}

export const machines: readonly NamedMachine[] = await findMachines()

export interface Design {
  id: string
  /** The `*.machine.ts` that declares the machine, and the comment above it. */
  file: string
  paragraph: string
  machine: AnyStateMachine
}

/**
 * Every machine once; the first machine of a factory represents all (tests/charts.test.ts checks that they are alike).
 */
export function designs(): Design[] {
  const declared = new Map(
    globSync('src/**/*.machine.ts', { cwd: root })
      .flatMap(declarations)
      .map((one) => [one.id, one]),
  )
  return [...Map.groupBy(machines, ({ machine }) => machine.id)]
    .map(([id, [first]]) => {
      const found = declared.get(id)
      if (first === undefined || found === undefined) throw new Error(`No *.machine.ts declares '${id}'`)
      return { ...found, machine: first.machine }
    })
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
}

/**
 * The machines that a file declares, each with the comment above its exported constant or factory.
 */
function declarations(file: string): Omit<Design, 'machine'>[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/createMachine\(\{\s*id: '(\w+)'/g)].map(({ 1: id = '', index }) => {
    const above = text.slice(0, index)
    const start = above.lastIndexOf('\nexport ')
    const comment = /\/\*\*((?:(?!\*\/)[^])*)\*\/$/.exec(above.slice(0, start))?.[1] ?? ''
    return { id, file, paragraph: comment.replaceAll(/\n \*/g, '\n').replaceAll(/\s+/g, ' ').trim() }
  })
}
