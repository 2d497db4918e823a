import type { Bookmark } from '../../api/contract/system.ts'
import type { PageInput } from '../app/app.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { besideField } from '../form/refused-fields.ts'

/**
 * Where bookmarks are stored: on a server with the feature `bookmarks` (docs/wire.md §1), else in this browser by
 * login.
 */
export type BookmarkLocation = { readonly kind: 'server' } | { readonly kind: 'browser'; readonly login: string }

export const bookmarkLocationOf = ({ settings, user }: Pick<PageInput, 'settings' | 'user'>): BookmarkLocation =>
  user !== null && settings.features.includes('bookmarks')
    ? { kind: 'server' }
    : { kind: 'browser', login: user?.name ?? '' }

/** A moment of a stream; `at` is epoch ms. */
export interface StreamMoment {
  readonly streamId: string
  readonly at: number
}

export interface NoteValues {
  bookmarkLocation: BookmarkLocation
  /** The bookmark to change, or the moment of a new one. */
  subject: { readonly id: string } | StreamMoment
  note: string
}

/** These errors are shown beside the note. `''`: unknown errors. */
export const noteFormMachine = formMachineOf<NoteValues, Bookmark>({
  fieldOfCode: besideField('note', [
    'NotStored',
    'NoResponse',
    'NotFound',
    'Forbidden',
    'QuotaReached',
    'TooManyRequests',
    'InternalServerError',
    'Unavailable',
    '',
  ]),
})

/** Stands for a uid where the previews machine fetches the preview of a moment. */
export const previewKey = ({ streamId, at }: StreamMoment): string => `${at} ${streamId}`

export function momentOfKey(key: string): StreamMoment {
  const space = key.indexOf(' ')
  return { streamId: key.slice(space + 1), at: Number(key.slice(0, space)) }
}
