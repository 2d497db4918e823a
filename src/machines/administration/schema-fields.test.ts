import { expect, test } from 'vitest'
import { fieldsOf, withoutSecrets } from './schema-fields.ts'

test('a restored version leaves the secrets as they are, whether it has one or none', () => {
  const properties = {
    title: { type: 'string' },
    mail: {
      type: 'object',
      properties: { host: { type: 'string' }, password: { type: 'string', format: 'password' } },
    },
  }
  const fields = fieldsOf({ type: 'object', properties })
  for (const password of ['', '***'])
    expect(withoutSecrets(fields, { title: 'A', 'mail.host': 'h', 'mail.password': password, other: 1 })).toEqual({
      title: 'A',
      'mail.host': 'h',
      other: 1,
    })
})
