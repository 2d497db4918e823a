import { describe, expect, test } from 'vitest'
import { catalogue as table, ownErrors, ownSuccesses, successes, wordless } from '../../tests/specification/messages.ts'
import { apiErrorCodes } from '../api/contract/api-error.ts'
import { apiErrorText } from './errors.ts'
import { activate, i18n, loadMessages } from './i18n.ts'
import { successText } from './successes.ts'

const textsOf = (code: string) => {
  const { message, code: shown } = apiErrorText(code)
  return { words: i18n._(message), shown }
}

describe('the catalogue (docs/behaviour.md §14)', () => {
  test.each(Object.entries(table))('%s reads %s', async (code, words) => {
    await activate('en')
    expect(textsOf(code)).toEqual({ words, shown: '' })
  })

  test('every code of the wire is in the table or known without a message', () => {
    expect(apiErrorCodes.toSorted()).toEqual(
      [...Object.keys(table).filter((code) => !['', 'NoResponse'].includes(code)), ...wordless].toSorted(),
    )
  })

  test.each([...wordless.filter((code) => !(code in ownErrors)), 'SomethingNew', 'toString', '__proto__'])(
    '%s reads as the generic words and the code',
    async (code) => {
      await activate('en')
      expect(textsOf(code)).toEqual({ words: 'Something went wrong', shown: code })
    },
  )

  test('all of it is spoken in Russian', async () => {
    await loadMessages('shell')
    await activate('en')
    const english = Object.keys(table).map((code) => textsOf(code).words)
    await activate('ru')
    const same = Object.keys(table)
      .map((code) => textsOf(code).words)
      .filter((words, index) => words === english[index] || !/[а-яё]/i.test(words))
    expect(same).toEqual([])
  })
})

describe('success (docs/behaviour.md §4.5)', () => {
  test.each([...Object.entries({ ...successes, ...ownSuccesses }), ['toString', 'Done']])(
    'success %s reads %s',
    async (code, words) => {
      await activate('en')
      expect(i18n._({ ...successText(code), values: { email: 'ann@example.org', name: 'bob', count: '2' } })).toBe(
        words,
      )
    },
  )
})
