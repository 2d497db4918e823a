import * as z from 'zod/mini'
import type { ExclusiveDatabase } from '../store/exclusive-database.ts'
import type { Schema } from '../store/migration.ts'
import { ownTables, type Move } from '../store/own-tables.ts'
import { UsageError } from '../usage-error.ts'
import { progressTables, siteTables } from './marks.ts'

const Migration = z.object({ concern: z.string(), version: z.coerce.number() })

export type SchemaSteps = readonly { concern: string; version: number; steps: readonly string[] }[]

/**
 * The migration steps that the source has run, in the order of the schema. Refuses a source that a newer version wrote.
 */
export const stepsOf = async (source: ExclusiveDatabase, schema: Schema): Promise<SchemaSteps> => {
  const rows = await source.all('SELECT concern, version FROM migrations')
  const versions = new Map(rows.map((row) => z.parse(Migration, row)).map((row) => [row.concern, row.version]))
  for (const [concern, version] of versions) {
    const known = schema.get(concern)?.length ?? 0
    if (version <= known) continue
    throw new UsageError(
      `${source.location} was written by a newer version (${concern} ${version}, this one knows ${known})`,
    )
  }
  return [...schema].flatMap(([concern, steps]) => {
    const version = versions.get(concern)
    return version === undefined ? [] : [{ concern, version, steps: steps.slice(0, version) }]
  })
}

/** Throws if the databases have different tables or columns, so that nothing is left out. */
const requireSameTables = async (source: ExclusiveDatabase, target: ExclusiveDatabase): Promise<void> => {
  const [from, to] = [await siteTables(source), await siteTables(target)].map((tables) =>
    tables.map(
      ({ name, columns }) => `${name} (${columns.map((column) => `${column.name} ${column.kind}`).join(', ')})`,
    ),
  )
  const different = [...new Set(from).symmetricDifference(new Set(to))]
  if (different.length > 0) throw new Error(`The tables of both databases differ: ${different.join('; ')}`)
}

/** Creates the source's tables in an empty target, in one transaction, without indexes, foreign keys and triggers. */
export const prepareTarget = async (
  source: ExclusiveDatabase,
  target: ExclusiveDatabase,
  schemaSteps: SchemaSteps,
  mark: Move,
): Promise<void> => {
  await target.transaction(async () => {
    await target.prepare()
    await target.change(ownTables)
    for (const { concern, version, steps } of schemaSteps) {
      for (const step of steps) await target.change(step)
      await target.run('INSERT INTO migrations (concern, version) VALUES (?, ?)', concern, version)
    }
    await requireSameTables(source, target)
    await target.change(progressTables)
    const statements = await target.suspend()
    for (const [index, sql] of statements.entries()) {
      await target.run('INSERT INTO move_statements (place, sql) VALUES (?, ?)', index, sql)
    }
    for (const { name } of await siteTables(target)) {
      // Rows that the steps have inserted are copied from the source.
      await target.run(`DELETE FROM ${name}`)
      await target.run("INSERT INTO move_progress (name, position, count, is_done) VALUES (?, '', 0, 0)", name)
    }
    const sql = "INSERT INTO moves (id, role, place, began, ended) VALUES (?, 'target', ?, ?, NULL)"
    await target.run(sql, mark.id, source.location, mark.began)
  })
}
