import type { Plan, PlanCamera, PlanPatch } from '../../api/contract/plans.ts'
import { formMachineOf } from '../form/form.machine.ts'

/**
 * What the server accepts as a picture (docs/wire.md §6.7): bytes, pixels of a side, pixels in all. As in
 * src/api/contract/plans.ts, of which machines import only types; a test compares them.
 */
export const maxPictureBytes = 4 * 1024 * 1024
export const maxPictureSide = 12_000
export const maxPicturePixels = 40_000_000

/** A picture that isn't saved yet; sizes in pixels. */
export interface NewPicture {
  readonly file: Blob
  readonly width: number
  readonly height: number
}

export interface PlanValues {
  id: string
  title: string
  cameras: readonly PlanCamera[]
  /** Null: the saved one. */
  picture: NewPicture | null
}

export const planForm = formMachineOf<PlanValues, object>({
  validate: ({ title }) => (title.trim() === '' ? { title: 'required' } : {}),
  afterSave: () => ({ picture: null }),
  // The picture is never stored, as it isn't JSON (`changedIn`).
  draft: (changed) => changed,
})

/** What one step of undo restores. */
export type UndoStep = Pick<PlanValues, 'cameras' | 'picture'>

/** Pictures are compared by identity, as two of the same size can show different plans. */
export const areSame = (one: UndoStep, other: UndoStep): boolean =>
  one.picture === other.picture && JSON.stringify(one.cameras) === JSON.stringify(other.cameras)

export const planValuesOf = ({ id, title, cameras }: Plan): PlanValues => ({ id, title, cameras, picture: null })

/** The changed fields; null if there are none. The picture is saved by another call. */
export function planPatch(values: PlanValues, saved: PlanValues): PlanPatch | null {
  const title = values.title.trim()
  const patch = {
    ...(title === saved.title.trim() ? {} : { title }),
    ...(JSON.stringify(values.cameras) === JSON.stringify(saved.cameras) ? {} : { cameras: [...values.cameras] }),
  }
  return Object.keys(patch).length === 0 ? null : patch
}

/** Why a file can't be the picture of a plan. `unreadable`: not a PNG, JPEG or WebP, or it can't be decoded. */
export type PictureProblem = 'unreadable' | 'tooManyBytes' | 'tooManyPixels'

const pictureTypes = ['image/png', 'image/jpeg', 'image/webp']

/** For `<input accept>`. */
export const acceptedPictures = pictureTypes.join(',')

/** By the type and the size of the file alone; undefined: no problem. The server checks the content. */
export const fileProblem = ({ type, size }: Blob): PictureProblem | undefined => {
  if (!pictureTypes.includes(type)) return 'unreadable'
  return size > maxPictureBytes ? 'tooManyBytes' : undefined
}

/** Undefined if the server accepts a picture of this size in pixels. */
export const pixelProblem = ({ width, height }: Pick<NewPicture, 'width' | 'height'>): PictureProblem | undefined =>
  Math.max(width, height) > maxPictureSide || width * height > maxPicturePixels ? 'tooManyPixels' : undefined

type NamedStream = { readonly uid: string; readonly name: string }

/** The streams, by name, whose name contains the text. */
export function streamsFound(
  { streams }: { readonly streams: readonly NamedStream[] },
  searched: string,
): readonly NamedStream[] {
  const part = searched.trim().toLowerCase()
  return streams.filter(({ uid, name }) => (name || uid).toLowerCase().includes(part))
}
