import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../../server/commands/migrate.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { UsageError } from '../../../server/usage-error.ts'
import { fillEveryTable } from '../fixtures/every-table.ts'

test('migrate reports what it can’t do, and shows no password', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-migrate-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = { DATABASE_URL: 'postgres://ann:secret7@127.0.0.1:1/site' }
  const run = (...args: string[]) => migrate.run([...args, '--data-dir', dataDir], env)
  const bare = (...args: string[]) => migrate.run([...args, '--data-dir', dataDir], {})
  const refused = (message: string) => new UsageError(message)
  const needed = refused('migrate takes --to, --archive, both, or --undo')
  await expect(run()).rejects.toThrow(needed)
  await expect(run('--to', 'sqlite', '--undo')).rejects.toThrow(needed)
  await expect(bare('--to', 'sqlite')).rejects.toThrow(
    refused('--to sqlite needs the PostgreSQL database in DATABASE_URL'),
  )
  await expect(run('--to', 'elsewhere')).rejects.toThrow(
    refused('--to takes postgres, a URL like postgres://host/name, or sqlite'),
  )
  await expect(run('--to', 'mysql://ann:secret7@host')).rejects.toThrow(
    refused('DATABASE_URL takes an address like postgres://user:password@host:5432/name'),
  )
  await expect(run('--to', 'postgres://ann:secret7@host/other')).rejects.toThrow(
    refused('--to and DATABASE_URL name different databases: unset DATABASE_URL, or give --to postgres'),
  )
  await expect(run('--to', 'postgres')).rejects.toThrow(refused(`There is no database in ${dataDir}`))
  const file = join(dataDir, 'sightline.db')
  await fillEveryTable(file)
  await expect(bare('--undo')).rejects.toThrow(refused(`${file} wasn't moved anywhere`))
  await expect(run('--to', 'postgres')).rejects.toThrow(new StoreAway('ECONNREFUSED'))
  await expect(run('--to', 'postgres', '--archive', 's3://site/')).rejects.toThrow(new StoreAway('ECONNREFUSED'))
})
