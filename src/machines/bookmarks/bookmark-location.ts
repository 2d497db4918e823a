import type { Bookmark } from '../../api/contract/system.ts'
import type { PageInput } from '../app/app.events.ts'
import { formMachineOf } from '../form/form.machine.ts'

/** The server where its settings announce that (docs/wire.md §1), else this browser, for the login. */
export type BookmarkLocation = { readonly kind: 'server' } | { readonly kind: 'browser'; readonly login: string }

export const bookmarkLocationOf = ({ settings, user }: Pick<PageInput, 'settings' | 'user'>): BookmarkLocation =>
  user !== null && settings.features.includes('bookmarks')
    ? { kind: 'server' }
    : { kind: 'browser', login: user?.name ?? '' }

export interface Moment {
  readonly streamId: string
  readonly at: number
}

export interface NoteValues {
  bookmarkLocation: BookmarkLocation
  subject: { readonly id: string } | Moment
  note: string
}

/** Errors are shown beside the note. */
export const noteFormMachine = formMachineOf<NoteValues, Bookmark>({
  fieldOfCode: Object.fromEntries(
    [
      'NotKept',
      'NoResponse',
      'NotFound',
      'Forbidden',
      'QuotaReached',
      'TooManyRequests',
      'InternalServerError',
      'Unavailable',
      '',
    ].map((code) => [code, 'note']),
  ),
})

export const pictureKey = ({ streamId, at }: Moment): string => `${at} ${streamId}`

export function momentOfKey(key: string): Moment {
  const space = key.indexOf(' ')
  return { streamId: key.slice(space + 1), at: Number(key.slice(0, space)) }
}
