import { maxPicturePixels, maxPictureSide } from '../../src/api/contract/plans.ts'
import { validationError } from '../http/api-error.ts'
import { pictureSizeOf, type PictureSize } from './picture-size.ts'

/** Format and size of a picture that a request sends. Throws 400 with `field` if it is none, or has too many pixels. */
export const requirePicture = (bytes: Buffer, field: string): PictureSize => {
  const size = pictureSizeOf(bytes)
  if (size === undefined) throw validationError({ [field]: 'Must be a PNG, JPEG or WebP picture' })
  const { width, height } = size
  if (Math.min(width, height) < 1 || Math.max(width, height) > maxPictureSide || width * height > maxPicturePixels)
    throw validationError({ [field]: 'Has too many pixels' })
  return size
}
