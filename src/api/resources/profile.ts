import { call } from '../call.ts'
import { validationError } from '../check.ts'
import { ProfilePatch } from '../contract/user.ts'
import { nothing } from '../contract/wire.ts'

/** Only the fields given; the answer may be empty, so ask again for what the profile is now. */
export const patchProfile = async (body: ProfilePatch, signal?: AbortSignal) =>
  validationError(ProfilePatch, body) ?? call(nothing, { path: '/v1/user', method: 'PATCH', body, signal })
