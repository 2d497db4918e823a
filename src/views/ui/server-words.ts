import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

/** The texts for errors that the embedded server reports of fields (server/http/field-words.ts and its plugins). */
const sentences: Readonly<Record<string, MessageDescriptor>> = {
  Required: msg`Fill this in`,
  'Must be text': msg`Enter text here`,
  'Must be a number': msg`Enter a number`,
  'Must be a whole number': msg`Enter a whole number`,
  'Must be true or false': msg`Enter true or false`,
  'Must be a list': msg`Enter a list`,
  'Must be an object': msg`Enter a group of settings`,
  'Must be an e-mail address': msg`This isn't an email address`,
  'Must be an address like https://host': msg`Enter an address like https://host`,
  'Must be the subscription of a browser': msg`Select the browser again: this subscription can't be used`,
  'Must be without login and password': msg`Enter the address without login and password`,
  'Must be in the future': msg`Choose a time in the future`,
  'Must be a plain name': msg`Use only letters, digits, dots and hyphens in a location`,
  'Must be a regular expression': msg`This isn't a regular expression`,
  'Must be empty or an address like https://host': msg`Leave this empty or enter an address like https://host`,
  'Must be empty or a code like en or ru': msg`Leave this empty or enter a code like en or ru`,
  'Must be empty, an address, a path of this server or a data: picture': msg`Enter an address, path or data: image`,
  'Must not contain spaces or slashes, nor be only dots': msg`A login can't contain spaces or slashes`,
  'Must have either streamGroupId or streamId': msg`Choose either a group of streams or a stream`,
  'Must be a PNG, JPEG or WebP picture': msg`Choose a PNG, JPEG or WebP image`,
  'Has too many pixels': msg`This image has too many pixels`,
  'Must be after the start': msg`The end must be after the start`,
  'Not after the start': msg`The end must be after the start`,
  'Not after the start, or in the future': msg`The end must be after the start, and not in the future`,
  'In the future': msg`This time hasn't come yet`,
  'In the past': msg`Choose a time in the future`,
  'Nothing is recorded in this time': msg`There are no recordings in this period`,
  'Turn on your own first, in your profile': msg`Turn on two-factor authentication for yourself first, in your profile`,
  'Wrong password': msg`Wrong password`,
  'Wrong, or already used': msg`This code is wrong or no longer works`,
  'Not in the right form': msg`This value can't be used here`,
  'This name is reserved': msg`This login is reserved`,
  'Change this in your profile': msg`Change this in your profile`,
  'This address is not allowed as a source': msg`This address may not be used as a source.`,
  'This address is not allowed': msg`This address may not be used`,
  'Unknown login': msg`There is no such user`,
  'Unknown time zone': msg`There is no such time zone`,
  'Unknown location': msg`There is no such location`,
  'Unknown node': msg`There is no such node`,
  'This node takes no streams now': msg`This node takes no streams now`,
  'Unknown setting': msg`There is no such setting`,
  'Unknown stream': msg`There is no such stream`,
  'Unknown group': msg`There is no such group`,
  'Enter hours above 0, or -1 for no limit': msg`Enter a number of hours above 0, or leave empty for no limit`,
  'Enter bytes, or -1 for no quota': msg`Enter a number of GB above 0, or leave empty for no limit`,
  'Enter the login and password again': msg`Enter login and password again: the stored ones are for one camera only`,
  'Enter the secret again': msg`Enter the secret again: it is stored for one address only`,
  'Enter the password again': msg`Enter the password again: the public link that had it no longer works`,
  'Enter the password again for another mail server': msg`Enter the password again for another mail server`,
}

const bounds: Readonly<Record<string, (count: number) => MessageDescriptor>> = {
  'At most #': (count) => msg`At most ${count}`,
  'At least #': (count) => msg`At least ${count}`,
  'At most # characters': (count) =>
    msg`${plural(count, { one: 'At most # character', other: 'At most # characters' })}`,
  'At least # characters': (count) =>
    msg`${plural(count, { one: 'At least # character', other: 'At least # characters' })}`,
  'At most # entries': (count) => msg`${plural(count, { one: 'At most # entry', other: 'At most # entries' })}`,
  'At least # entries': (count) => msg`${plural(count, { one: 'At least # entry', other: 'At least # entries' })}`,
  'At most # minutes': (count) => msg`${plural(count, { one: 'At most # minute', other: 'At most # minutes' })}`,
  'At most # hours': (count) => msg`${plural(count, { one: 'At most # hour', other: 'At most # hours' })}`,
}

/** The text in the user's language; undefined for the text of another server, which isn't translated. */
export function serverText(words: string): MessageDescriptor | undefined {
  if (Object.hasOwn(sentences, words)) return sentences[words]
  const [, choices] = /^One of: (.+)$/.exec(words) ?? []
  if (choices !== undefined) return msg`Choose one of: ${choices}`
  const [count] = /-?\d+/.exec(words) ?? []
  const shape = words.replace(/-?\d+/, '#')
  return count !== undefined && Object.hasOwn(bounds, shape) ? bounds[shape]?.(Number(count)) : undefined
}

/** Translates errors of several rows: `ann: …; bob: …`. */
export function useRowWords(): (text: string) => string {
  const { i18n } = useLingui()
  const translated = (words: string) => {
    const known = serverText(words)
    return known === undefined ? words : i18n._(known)
  }
  return (text) =>
    text
      .split('; ')
      .map((part) => {
        const [, row, words] = /^([^:]+): (.+)$/.exec(part) ?? []
        return words === undefined ? translated(part) : `${row}: ${translated(words)}`
      })
      .join('; ')
}
