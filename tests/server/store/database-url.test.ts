import { expect, test } from 'vitest'
import { parseDatabaseUrl } from '../../../server/store/database-url.ts'

test.each([
  ['postgres://ann:p%40ss@db.example:5433/site', 'postgres://ann:p%40ss@db.example:5433/site'],
  ['postgres://%2Frun%2Fpostgresql/site', 'postgres://%2Frun%2Fpostgresql/site'],
  ['postgres:///site?host=/run/postgresql', 'postgres:///site?host=/run/postgresql'],
  ['postgres://ann@/site?host=/run/postgresql', 'postgres://ann@localhost/site?host=/run/postgresql'],
  ['postgres://ann:p#ss@db.example/site', undefined],
])('%s is read as %s', (text, href) => {
  expect(parseDatabaseUrl(text)?.href).toBe(href)
})
