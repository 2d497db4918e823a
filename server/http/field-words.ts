import type * as z from 'zod/mini'

const kinds: Readonly<Record<string, string>> = {
  string: 'Must be text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  object: 'Must be an object',
}

const formats: Readonly<Record<string, string>> = {
  email: 'Must be an e-mail address',
  datetime: 'Must be a time like 2026-11-21T08:00:00.000Z',
  date: 'Must be a day like 2026-11-21',
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

/** Messages of a fixed list, which the console translates. A schema's own messages take precedence. */
export const fieldWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Required' : (kinds[issue.expected] ?? 'Must be of another kind')
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'Required'
        : `At least ${String(issue.minimum)}${units[issue.origin] ?? ''}`
    case 'too_big':
      return `At most ${String(issue.maximum)}${units[issue.origin] ?? ''}`
    case 'invalid_value':
      return `One of: ${issue.values.map(String).join(', ')}`
    case 'invalid_format':
      return formats[issue.format] ?? 'Not in the right form'
    default:
      return 'Not in the right form'
  }
}
